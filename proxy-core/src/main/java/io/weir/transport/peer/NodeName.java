package io.weir.transport.peer;

import io.weir.config.AddressBlock;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The node names in forwarding headers (RFC 7239, section 6). */
final class NodeName {

    private NodeName() {}

    /** Returns an address with or without a port; null for a name, a hidden one ({@code _x}) and {@code unknown}. */
    static @Nullable InetAddress address(String text) {
        int bracket = text.indexOf(']');
        if (text.startsWith("[") && bracket > 0) {
            String address = text.substring(1, bracket);
            return address.indexOf(':') >= 0 && isPort(text.substring(bracket + 1))
                    ? AddressBlock.address(address)
                    : null;
        }
        int colon = text.indexOf(':');
        if (colon < 0 || colon != text.lastIndexOf(':')) {
            return AddressBlock.address(text);
        }
        return isPort(text.substring(colon)) ? AddressBlock.address(text.substring(0, colon)) : null;
    }

    /** Returns whether the text is empty, or a colon and a port: a number or a hidden one. */
    private static boolean isPort(String text) {
        return text.isEmpty() || text.matches(":([0-9]{1,5}|_[A-Za-z0-9._-]+)");
    }
}
