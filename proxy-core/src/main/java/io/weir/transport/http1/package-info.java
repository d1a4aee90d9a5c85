/**
 * Requests from the bytes of an HTTP connection, each read in the one way in which it can be read. Knows nothing of what becomes of
 * them. Start at {@link io.weir.transport.http1.RequestDecoder}.
 */
@NullMarked
package io.weir.transport.http1;

import org.jspecify.annotations.NullMarked;
