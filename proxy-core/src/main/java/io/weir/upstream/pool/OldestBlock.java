package io.weir.upstream.pool;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.DataKind;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Oldest block whose data a call needs: the first one of a range of logs, else the block of the call. Pure. */
final class OldestBlock {

    private static final NameTable FROM = NameTable.of(Set.of("fromBlock"));
    private static final int MAX_HEX_DIGITS = 15;

    private OldestBlock() {}

    /**
     * Returns its number.
     *
     * @param block the newest block that the call needs; 0 if unknown
     * @return 0 if unknown
     */
    static long of(DataKind kind, @Nullable RpcCall call, long block) {
        if (kind != DataKind.LOGS || block <= 0 || call == null || call.params() == null) {
            return block;
        }
        RawJson from = from(call.params());
        if (from == null) {
            return block;
        }
        HexText hex = HexText.read(from);
        if (hex == null) {
            return from.toString().equals("\"earliest\"") ? 1 : block;
        }
        return hex.significantDigits() > MAX_HEX_DIGITS ? block : Math.max(1, Math.min(block, hex.toLong()));
    }

    private static @Nullable RawJson from(RawJson params) {
        if (params.first() != '[') {
            return null;
        }
        try {
            JsonScanner scanner = JsonScanner.delimiters(params.array(), params.offset(), params.length());
            scanner.open();
            if (!scanner.firstEntry()) {
                return null;
            }
            int start = scanner.position();
            scanner.skip();
            RawJson filter = RawJson.slice(params.array(), start, scanner.position() - start);
            return filter.first() == '{' ? JsonObject.member(filter, FROM) : null;
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            // Nodes judge such parameters.
            return null;
        }
    }
}
