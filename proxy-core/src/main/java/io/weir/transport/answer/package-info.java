/**
 * Answers as bytes: the HTTP head before a text, answers that are sent while they arrive, and compression. Imports of the
 * transport only {@code request}. Start at {@link io.weir.transport.answer.HttpAnswers}.
 */
@NullMarked
package io.weir.transport.answer;

import org.jspecify.annotations.NullMarked;
