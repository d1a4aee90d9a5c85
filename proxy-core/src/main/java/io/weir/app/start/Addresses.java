package io.weir.app.start;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** The text form of socket addresses in URLs. */
public final class Addresses {

    private Addresses() {}

    public static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
