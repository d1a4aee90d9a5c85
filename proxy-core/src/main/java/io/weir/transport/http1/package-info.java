/**
 * Decoding of requests from the bytes of an HTTP connection, rejecting ambiguous ones. Knows nothing of their
 * processing. Start at {@link io.weir.transport.http1.RequestDecoder}.
 */
@NullMarked
package io.weir.transport.http1;

import org.jspecify.annotations.NullMarked;
