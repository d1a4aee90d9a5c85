package io.weir.transport.http;

import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.request.ListenerContext;

/**
 * The parts of the handlers that all connections of a listener share. Thread-safe.
 *
 * @param answers writes answers
 * @param packing compresses answers
 * @param upgrade takes over connections that become WebSockets
 */
record SharedParts(ListenerContext listener, HttpAnswers answers, AnswerCompressor packing, Upgrade upgrade) {}
