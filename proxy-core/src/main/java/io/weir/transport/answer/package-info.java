/**
 * Answers as bytes: the text of a request's answer, which both front doors send, and the HTTP head before it. Imports of the
 * transport only {@code entry}. Start at {@link io.weir.transport.answer.HttpAnswers}.
 */
@NullMarked
package io.weir.transport.answer;

import org.jspecify.annotations.NullMarked;
