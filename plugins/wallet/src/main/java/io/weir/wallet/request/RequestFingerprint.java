package io.weir.wallet.request;

import io.weir.wallet.name.Fingerprint;
import io.weir.wallet.snap.SnapCall;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The hash of what a call asks for, by which equal requests of a tenant are found. Thread-safe. */
final class RequestFingerprint {

    private static final String MESSAGE = "typedDataMessage";

    /** The parameters that say how a request is asked, not for what; its chain is hashed as the call's. */
    private static final Set<String> LEFT_OUT = Set.of(Requests.REQUEST_ID, Requests.DETACHED, "chainId");

    private RequestFingerprint() {}

    /**
     * Returns the hash of a call's method, chain and parameters, which neither their order nor the spelling of their numbers changes. A
     * typed message stays as it is, because a text in it may mean something else than the number that it looks like.
     */
    static String of(SnapCall call) {
        StringBuilder text = new StringBuilder();
        write(call.method(), false, text);
        write(call.network().chainId().toHex(), false, text);
        write(call.arguments().tree(), LEFT_OUT, true, text);
        return Fingerprint.hex(text.toString());
    }

    private static void write(JsonNode node, Set<String> without, boolean numbers, StringBuilder out) {
        if (node.isObject()) {
            Map<String, JsonNode> sorted = new TreeMap<>();
            node.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
            without.forEach(sorted::remove);
            out.append('{');
            sorted.forEach((name, value) -> {
                out.append(name.length()).append(':').append(name);
                write(value, Set.of(), numbers && !MESSAGE.equals(name), out);
            });
            out.append('}');
        } else if (node.isArray()) {
            out.append('[');
            node.forEach(element -> write(element, Set.of(), numbers, out));
            out.append(']');
        } else if (numbers && node.isString() && node.stringValue().indexOf(',') >= 0) {
            out.append('[');
            Stream.of(node.stringValue().split(",")).forEach(element -> write(element.strip(), true, out));
            out.append(']');
        } else {
            write(node.isString() ? node.stringValue() : node.toString(), numbers, out);
        }
    }

    private static void write(String text, boolean numbers, StringBuilder out) {
        boolean hex = text.matches("0[xX][0-9a-fA-F]{1,64}");
        boolean number = numbers && (hex || text.matches("[0-9]{1,78}"));
        String same = !number
                ? text
                : hex ? new BigInteger(text.substring(2), 16).toString() : new BigInteger(text).toString();
        out.append(same.length()).append(':').append(same);
    }
}
