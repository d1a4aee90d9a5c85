package io.weir.pipeline.range;

import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Blocks that logs name, compared with the canonical ones. Pure. */
final class LogPlaces {

    private static final NameTable NAMES = NameTable.of(Set.of("blockNumber", "blockHash"));

    private LogPlaces() {}

    /**
     * Returns whether no log names another block than the one that is known at its height.
     *
     * @param elements the logs, with commas between them
     * @param from the height from which on logs are compared
     */
    static boolean fit(RawJson elements, CanonicalLinks links, long from) {
        if (elements.length() == 0) {
            return true;
        }
        JsonScanner scanner = JsonScanner.delimiters(elements.array(), elements.offset(), elements.length());
        int end = elements.offset() + elements.length();
        try {
            while (scanner.position() < end) {
                if (scanner.peek() != '{' || !fits(scanner, elements, links, from)) {
                    return false;
                }
                if (scanner.peek() == ',') {
                    scanner.begin(elements.array(), scanner.position() + 1, end - scanner.position() - 1);
                } else {
                    break;
                }
            }
            return true;
        } catch (JsonSyntaxException e) {
            return false;
        }
    }

    private static boolean fits(JsonScanner scanner, RawJson elements, CanonicalLinks links, long from)
            throws JsonSyntaxException {
        RawJson number = null;
        RawJson hash = null;
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(NAMES);
            int start = scanner.position();
            scanner.skip();
            if (name != null) {
                RawJson value = RawJson.slice(elements.array(), start, scanner.position() - start);
                number = name.equals("blockNumber") ? value : number;
                hash = name.equals("blockHash") ? value : hash;
            }
            more = scanner.nextEntry();
        }
        HexText height = number == null ? null : HexText.read(number);
        return height == null || height.toLong() < from || isKnown(hash, links.hash(height.toLong()));
    }

    private static boolean isKnown(@Nullable RawJson named, @Nullable String known) {
        return known == null
                || named == null
                || named.toString().toLowerCase(Locale.ROOT).equals('"' + known + '"');
    }
}
