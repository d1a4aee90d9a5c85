package io.weir.wallet.request;

import io.weir.l2.Felt;
import io.weir.wallet.name.Fingerprint;
import io.weir.wallet.state.StoredRequest;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The content of a request, by which equal ones are found. Immutable.
 *
 * @param requestId the id that the caller gave it, or null
 * @param detached whether it waits on after its caller has left
 * @param fingerprint a hash of its parameters, without those two
 */
public record Wanted(
        String tenant,
        String method,
        Felt chainId,
        @Nullable String requestId,
        boolean detached,
        String fingerprint) {

    private static final String MESSAGE = "typedDataMessage";

    /**
     * Returns the fingerprint of parameters, which neither their order nor the spelling of their numbers changes. A typed message stays
     * as it is, because a text in it may mean something else than the number that it looks like.
     *
     * @param params an object
     * @param without names that are left out
     */
    public static String fingerprint(JsonNode params, Set<String> without) {
        StringBuilder text = new StringBuilder();
        write(params, without, true, text);
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

    /** Whether a stored request is for the same. */
    boolean isSame(StoredRequest stored) {
        return method.equals(stored.method())
                && chainId.equals(stored.chainId())
                && fingerprint.equals(stored.fingerprint());
    }

    /** Whether another one is for the same. */
    boolean isSame(Wanted other) {
        return tenant.equals(other.tenant)
                && method.equals(other.method)
                && chainId.equals(other.chainId)
                && fingerprint.equals(other.fingerprint);
    }
}
