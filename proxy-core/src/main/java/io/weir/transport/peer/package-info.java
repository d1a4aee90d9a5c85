/**
 * Who a client is where it comes by way of proxies that are trusted. Imports no other package of the transport. Start at {@link
 * io.weir.transport.peer.ClientAddresses}.
 */
@NullMarked
package io.weir.transport.peer;

import org.jspecify.annotations.NullMarked;
