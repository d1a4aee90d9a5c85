package io.weir.app.start;

import io.weir.config.TlsConfig;
import java.net.InetSocketAddress;

/** The text form of socket addresses in URLs. */
final class Addresses {

    private Addresses() {}

    /** Returns the URL of a listener. */
    static String url(InetSocketAddress address, TlsConfig tls) {
        return (tls.enabled() ? "https://" : "http://") + text(address);
    }

    private static String text(InetSocketAddress address) {
        // All addresses of a machine have a form of eight zeros too, which nobody configures.
        String host = address.getAddress().isAnyLocalAddress()
                ? "0.0.0.0"
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
