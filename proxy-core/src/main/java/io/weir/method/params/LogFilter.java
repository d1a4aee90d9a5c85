package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.Members;
import io.weir.method.params.kind.ObjectKind;

/** The filter of logs. Pure. */
final class LogFilter {

    private static final int MOST_TOPICS = 4;
    private static final String FROM = "fromBlock";
    private static final String TO = "toBlock";
    private static final String HASH = "blockHash";

    private static final Kind ALTERNATIVES = ListKind.of(
                    HexKind.HASH, "topic of 32 bytes in hex, a list of them, or null")
            .withNulls()
            .orOne();

    private static final ObjectKind OBJECT = ObjectKind.of("log filter")
            .optional(BlockParameter.NUMBERED, FROM, TO)
            .optional(HexKind.HASH, HASH)
            .optional(
                    ListKind.of(HexKind.ADDRESS, "address of 20 bytes in hex, or a list of them")
                            .orOne(),
                    "address")
            .optional(ListKind.of(ALTERNATIVES, "list of topics").withNulls().upTo(MOST_TOPICS), "topics")
            .rule(LogFilter::hashOrRange)
            .build();

    /** Its kind. */
    static final Kind KIND = OBJECT;

    private LogFilter() {}

    private static void hashOrRange(Members members) throws InvalidParamsException {
        if (members.get(HASH) != null && (members.get(FROM) != null || members.get(TO) != null)) {
            throw InvalidParamsException.of("blockHash together with fromBlock or toBlock", "one or the other");
        }
    }

    /** The one block, or the last one, that a filter in normal form is about. */
    static BlockSelector block(RawJson filter) {
        try {
            Members members = OBJECT.read(filter);
            RawJson hash = members.get(HASH);
            if (hash != null) {
                return BlockSelector.ofHash(hash);
            }
            RawJson to = members.get(TO);
            return BlockSelector.of(to == null ? BlockTag.LATEST.json() : to);
        } catch (InvalidParamsException e) {
            return BlockSelector.NONE;
        }
    }
}
