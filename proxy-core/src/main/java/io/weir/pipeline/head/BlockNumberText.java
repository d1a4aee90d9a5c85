package io.weir.pipeline.head;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexText;

/** Reader of block numbers in calls and answers. Pure. */
final class BlockNumberText {

    private static final int MAX_DIGITS = 15;

    private BlockNumberText() {}

    static RawJson of(long number) {
        return RawJson.of("\"0x" + Long.toHexString(number) + '"');
    }

    /** Returns the number in a JSON value; -1 if it is not a valid block number. */
    static long read(RawJson value) {
        HexText text = HexText.read(value);
        return text == null || text.significantDigits() > MAX_DIGITS ? -1 : text.toLong();
    }
}
