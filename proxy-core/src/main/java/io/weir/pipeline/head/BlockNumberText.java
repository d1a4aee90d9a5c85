package io.weir.pipeline.head;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexText;

/** Block numbers as they stand in calls and answers. Pure. */
final class BlockNumberText {

    private static final int MAX_DIGITS = 15;

    private BlockNumberText() {}

    static RawJson of(long number) {
        return RawJson.of("\"0x" + Long.toHexString(number) + '"');
    }

    /** The number that a JSON value is; -1 where it is none that a block could have. */
    static long read(RawJson value) {
        HexText text = HexText.read(value);
        return text == null || text.significantDigits() > MAX_DIGITS ? -1 : text.toLong();
    }
}
