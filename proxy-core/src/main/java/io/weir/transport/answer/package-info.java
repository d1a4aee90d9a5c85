/**
 * Answers as bytes: the text of a request's answer, for both HTTP and WebSocket, and the HTTP head before it. Imports
 * of the transport only {@code request}. Start at {@link io.weir.transport.answer.HttpAnswers}.
 */
@NullMarked
package io.weir.transport.answer;

import org.jspecify.annotations.NullMarked;
