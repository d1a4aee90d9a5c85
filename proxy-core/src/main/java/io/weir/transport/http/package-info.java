/**
 * The HTTP/1.1 front door: reading requests strictly, collecting bodies, running them, and answering in the order asked. One
 * handler for each duty; {@link io.weir.transport.http.HttpPipeline} lists them in order: start there. Imports of the
 * transport {@code entry}, {@code answer} and what lies below them; knows no WebSockets.
 */
@NullMarked
package io.weir.transport.http;

import org.jspecify.annotations.NullMarked;
