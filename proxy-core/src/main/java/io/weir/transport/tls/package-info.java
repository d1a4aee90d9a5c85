/**
 * TLS in front of the handlers of a listener. A listener without certificates has none of these handlers. Start at {@link
 * io.weir.transport.tls.TlsPipeline}.
 */
@NullMarked
package io.weir.transport.tls;

import org.jspecify.annotations.NullMarked;
