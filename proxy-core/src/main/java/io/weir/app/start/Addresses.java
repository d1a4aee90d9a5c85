package io.weir.app.start;

import io.weir.config.TlsConfig;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** The text form of socket addresses in URLs. */
final class Addresses {

    private Addresses() {}

    /** Returns the URL of a listener. */
    static String url(InetSocketAddress address, TlsConfig tls) {
        return (tls.enabled() ? "https://" : "http://") + text(address);
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
