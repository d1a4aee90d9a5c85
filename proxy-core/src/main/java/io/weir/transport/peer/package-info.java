/**
 * The addresses of clients behind trusted proxies. Imports no other package of the transport. Start at {@link
 * io.weir.transport.peer.ClientAddresses}.
 */
@NullMarked
package io.weir.transport.peer;

import org.jspecify.annotations.NullMarked;
