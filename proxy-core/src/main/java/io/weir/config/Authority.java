package io.weir.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A host and a port, as in a Host header or an origin. Two spellings of one host are equal: letter case, a final dot
 * and the forms of an IPv6 address do not matter. Immutable.
 *
 * @param host a name in lower case, an IPv4 address, or an IPv6 address in brackets
 * @param port -1 if the text has none
 */
public record Authority(String host, int port) {

    private static final int MAX_PORT_DIGITS = 5;
    private static final int MAX_PORT = 65_535;
    private static final int IPV6_BYTES = 16;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    /** Returns the authority in a text, or null if the text is not a host with an optional port. */
    public static @Nullable Authority parse(String text) {
        int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        if (end < 0) {
            end = text.length();
        }
        String host = normalised(text.substring(0, end));
        int port = end == text.length() ? -1 : port(text.substring(end));
        return host == null || port < -1 ? null : new Authority(host, port);
    }

    /**
     * Returns a host from the configuration in the form of {@link #host}. An IPv6 address may lack brackets. Returns
     * null for a text with a port and for any other text that is not a host.
     */
    public static @Nullable String hostOf(String text) {
        InetAddress address = AddressBlock.address(text);
        if (address != null) {
            return text(address);
        }
        Authority authority = parse(text);
        return authority == null || authority.port() >= 0 ? null : authority.host();
    }

    /** Returns the host as an address, or null if it is a name. */
    public @Nullable InetAddress address() {
        return AddressBlock.address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    }

    private static @Nullable String normalised(String host) {
        if (host.startsWith("[")) {
            InetAddress address = host.length() < 2 ? null : AddressBlock.address(host.substring(1, host.length() - 1));
            return address == null || host.indexOf(':') < 0 ? null : text(address);
        }
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return name.isEmpty() ? null : name.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns an address in the form of {@link #host}: an IPv4 address mapped into IPv6 as IPv4, and without a zone.
     */
    public static String text(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean mapped = bytes.length == IPV6_BYTES && Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
        byte[] shortest = mapped ? Arrays.copyOfRange(bytes, MAPPED.length, IPV6_BYTES) : bytes;
        String text = NetUtil.bytesToIpAddress(shortest);
        return shortest.length == IPV6_BYTES ? "[" + text + "]" : text;
    }

    /** Returns -1 for a colon without a port, which RFC 3986 allows, and -2 for an invalid port. */
    private static int port(String text) {
        String digits = text.substring(1);
        boolean well = text.charAt(0) == ':'
                && digits.length() <= MAX_PORT_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!well) {
            return -2;
        }
        int port = digits.isEmpty() ? -1 : Integer.parseInt(digits);
        return port <= MAX_PORT ? port : -2;
    }
}
