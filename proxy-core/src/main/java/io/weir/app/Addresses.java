package io.weir.app;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Socket addresses as they stand in URLs. */
final class Addresses {

    private Addresses() {}

    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
