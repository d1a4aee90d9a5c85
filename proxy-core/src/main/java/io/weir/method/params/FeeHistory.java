package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.ParamCounts;
import io.weir.method.params.kind.ParamLimit;
import java.util.List;

/** Parameters that only {@code eth_feeHistory} has. Pure. */
final class FeeHistory {

    private static final int MAX_LENGTH = 40;

    /** A number of blocks, which nodes accept in decimal too. */
    static final Kind BLOCK_COUNT = FeeHistory::blockCount;

    /** Percentiles, which must not decrease. */
    static final Kind PERCENTILES = FeeHistory::percentiles;

    private static final Kind LIST = ListKind.of(FeeHistory::percentile, "list of percentiles", ParamLimit.PERCENTILES);

    private FeeHistory() {}

    private static RawJson blockCount(RawJson value, ParamCounts counts) throws InvalidParamsException {
        boolean digits = value.first() >= '0' && value.first() <= '9' && value.length() <= MAX_LENGTH;
        if (digits) {
            try {
                return RawJson.of("\"0x" + Long.toHexString(Long.parseLong(value.toString())) + '"');
            } catch (NumberFormatException e) {
                throw InvalidParamsException.wrong(value, "quantity in hex of at most 64 bits");
            }
        }
        return HexKind.QUANTITY_64.normalise(value, counts);
    }

    private static RawJson percentiles(RawJson value, ParamCounts counts) throws InvalidParamsException {
        RawJson normal = LIST.normalise(value, counts);
        double before = 0;
        List<RawJson> elements = JsonArray.elements(normal, Integer.MAX_VALUE);
        for (int i = 0; i < elements.size(); i++) {
            double percentile = Double.parseDouble(elements.get(i).toString());
            if (percentile < before) {
                throw InvalidParamsException.wrong(elements.get(i), "no less than the one before")
                        .inElement(i);
            }
            before = percentile;
        }
        return normal;
    }

    private static RawJson percentile(RawJson value, ParamCounts counts) throws InvalidParamsException {
        boolean number = value.length() <= MAX_LENGTH && (value.first() == '-' || isDigit(value.first()));
        double percentile = number ? Double.parseDouble(value.toString()) : -1;
        if (percentile < 0 || percentile > 100) {
            throw InvalidParamsException.wrong(value, "number from 0 to 100");
        }
        return value;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
