package io.weir.transport.request;

import io.weir.config.AddressBlock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses in forwarding headers, in order. Null represents a value that is not an address. */
final class ForwardedValue {

    private static final String FOR = "for";

    private ForwardedValue() {}

    /** Returns the addresses of {@code X-Forwarded-For}, which are separated by commas. */
    static List<@Nullable InetAddress> addressesOfList(List<String> headers) {
        List<@Nullable InetAddress> addresses = new ArrayList<>();
        for (String header : headers) {
            for (String element : header.split(",", -1)) {
                addresses.add(NodeName.address(element.strip()));
            }
        }
        return addresses;
    }

    /** Returns the addresses of {@code Forwarded}: the parameters {@code for} of its elements, RFC 7239, section 4. */
    static List<@Nullable InetAddress> addresses(List<String> headers) {
        List<@Nullable InetAddress> addresses = new ArrayList<>();
        for (String header : headers) {
            List<String> elements = split(header, ',');
            if (elements == null) {
                addresses.add(null);
            } else {
                elements.forEach(element -> addresses.add(element(element)));
            }
        }
        return addresses;
    }

    private static @Nullable InetAddress element(String element) {
        List<String> pairs = split(element, ';');
        InetAddress address = null;
        int found = 0;
        for (String pair : pairs == null ? List.<String>of() : pairs) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase(FOR)) {
                address = NodeName.address(unquoted(pair.substring(equals + 1).strip()));
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

    /** The node names in forwarding headers (RFC 7239, section 6). */
    private static final class NodeName {

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
}
