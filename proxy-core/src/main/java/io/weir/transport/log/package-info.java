/**
 * The access log: one line of JSON for each HTTP request and each WebSocket message, written outside the event loops.
 * It never contains a key, path or header value. Imports no other package of the transport. Start at {@link
 * io.weir.transport.log.AccessLogEntry}.
 */
@NullMarked
package io.weir.transport.log;

import org.jspecify.annotations.NullMarked;
