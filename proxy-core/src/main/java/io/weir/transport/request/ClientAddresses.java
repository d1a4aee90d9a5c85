package io.weir.transport.request;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.weir.config.AddressBlock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of clients, also behind trusted proxies. {@code Forwarded} (RFC 7239) takes precedence over {@code
 * X-Forwarded-For}. An unreadable header means the peer itself. Immutable.
 */
public final class ClientAddresses {

    private static final String FORWARDED = "Forwarded";
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";

    private final List<AddressBlock> trusted;

    public ClientAddresses(List<AddressBlock> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    /** Returns the address of a connection's peer, or null if it has none any more. */
    public static @Nullable InetAddress peer(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
    }

    /** Returns whether the peer's forwarding headers are trusted. */
    public boolean trusts(InetAddress peer) {
        return AddressBlock.contain(trusted, peer);
    }

    /**
     * Returns whether many clients may share a peer: a trusted proxy, or this machine. Bounds per address exempt it.
     */
    public boolean isShared(InetAddress peer) {
        return peer.isLoopbackAddress() || trusts(peer);
    }

    /** Returns the client's address from these headers: the last untrusted one, or the first if all are trusted. */
    public InetAddress client(InetAddress peer, HttpHeaders headers) {
        if (!trusts(peer)) {
            return peer;
        }
        List<String> forwarded = headers.getAll(FORWARDED);
        List<@Nullable InetAddress> addresses =
                forwarded.isEmpty() ? ofList(headers.getAll(X_FORWARDED_FOR)) : ofElements(forwarded);
        InetAddress farthest = peer;
        for (int i = addresses.size() - 1; i >= 0; i--) {
            InetAddress next = addresses.get(i);
            if (next == null) {
                // Malformed, unknown or hidden: no trusted proxy has seen the addresses before it.
                return peer;
            }
            if (!trusts(next)) {
                return next;
            }
            farthest = next;
        }
        return farthest;
    }

    /** Returns the addresses of {@code X-Forwarded-For}, which are separated by commas; null for a value that is none. */
    private static List<@Nullable InetAddress> ofList(List<String> headers) {
        List<@Nullable InetAddress> addresses = new ArrayList<>();
        for (String header : headers) {
            for (String element : header.split(",", -1)) {
                addresses.add(nodeName(element.strip()));
            }
        }
        return addresses;
    }

    /**
     * Returns the addresses of {@code Forwarded}: the parameters {@code for} of its elements, RFC 7239, section 4; null for a value that is
     * none.
     */
    private static List<@Nullable InetAddress> ofElements(List<String> headers) {
        List<@Nullable InetAddress> addresses = new ArrayList<>();
        for (String header : headers) {
            List<String> elements = split(header, ',');
            if (elements == null) {
                addresses.add(null);
            } else {
                elements.forEach(element -> addresses.add(ofElement(element)));
            }
        }
        return addresses;
    }

    private static @Nullable InetAddress ofElement(String element) {
        List<String> pairs = split(element, ';');
        InetAddress address = null;
        int found = 0;
        for (String pair : pairs == null ? List.<String>of() : pairs) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase("for")) {
                address = nodeName(unquoted(pair.substring(equals + 1).strip()));
                found++;
            }
        }
        return found == 1 ? address : null;
    }

    /** Returns the parts between separators outside quotes, or null if a quote does not end. */
    private static @Nullable List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(begin, i));
                begin = i + 1;
            }
        }
        parts.add(text.substring(begin));
        return quoted ? null : parts;
    }

    private static String unquoted(String value) {
        if (value.length() < 2 || value.charAt(0) != '"' || value.charAt(value.length() - 1) != '"') {
            return value;
        }
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 1; i < value.length() - 1; i++) {
            char c = value.charAt(i);
            plain.append(c == '\\' ? value.charAt(++i) : c);
        }
        return plain.toString();
    }

    /**
     * Returns the address of a node name (RFC 7239, section 6), with or without a port; null for a name, a hidden one ({@code _x}) and
     * {@code unknown}.
     */
    private static @Nullable InetAddress nodeName(String text) {
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
