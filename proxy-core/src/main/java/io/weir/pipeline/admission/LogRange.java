package io.weir.pipeline.admission;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import java.util.Set;

/** Reads the block range of a log filter. Immutable. */
final class LogRange {

    private static final NameTable NAMES = NameTable.of(Set.of("fromBlock", "toBlock"));

    private LogRange() {}

    /** Returns whether a normalised filter names both ends by number. Nodes may resolve a tag to different blocks. */
    static boolean endsWithNumbers(CheckedParams params) {
        RawJson filter = params.values().get(0);
        JsonScanner scanner = JsonScanner.delimiters(filter.array(), filter.offset(), filter.length());
        int numbers = 0;
        try {
            scanner.peek();
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                String name = scanner.member(NAMES);
                int start = scanner.position();
                scanner.skip();
                boolean end = name.equals("fromBlock") || name.equals("toBlock");
                RawJson value = RawJson.slice(filter.array(), start, scanner.position() - start);
                numbers += end && HexText.read(value) != null ? 1 : 0;
                more = scanner.nextEntry();
            }
        } catch (JsonSyntaxException e) {
            return false;
        }
        return numbers == 2;
    }
}
