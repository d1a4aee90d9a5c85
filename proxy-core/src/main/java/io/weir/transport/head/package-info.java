/**
 * Requests from the bytes of an HTTP connection, each read in the one way in which it can be read. Knows nothing of what becomes of
 * them. Start at {@link io.weir.transport.head.RequestDecoder}.
 */
@NullMarked
package io.weir.transport.head;

import org.jspecify.annotations.NullMarked;
