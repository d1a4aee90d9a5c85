/**
 * Judgement of nodes' answers: whether a result is an answer to its question, by what is known of the chain. Pure rules; start at
 * {@link io.weir.answer.Judge}.
 */
@NullMarked
package io.weir.answer;

import org.jspecify.annotations.NullMarked;
