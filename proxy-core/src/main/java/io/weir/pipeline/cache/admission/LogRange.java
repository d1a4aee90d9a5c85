package io.weir.pipeline.cache.admission;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import java.util.Set;

/** The blocks that a log filter is about. Pure. */
final class LogRange {

    private static final NameTable NAMES = NameTable.of(Set.of("fromBlock", "toBlock"));

    private LogRange() {}

    /** Whether a filter in normal form names both ends by number: with a tag, nodes may differ in which blocks are meant. */
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
