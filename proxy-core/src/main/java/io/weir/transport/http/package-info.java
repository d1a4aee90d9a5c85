/**
 * HTTP/1.1 connections: reading requests strictly, collecting bodies, running them, and answering in order. There is
 * one handler for each duty; {@link io.weir.transport.http.HttpPipeline} lists them in order: start there. Imports of
 * the transport {@code request}, {@code answer} and what lies below them. Knows nothing of WebSockets.
 */
@NullMarked
package io.weir.transport.http;

import org.jspecify.annotations.NullMarked;
