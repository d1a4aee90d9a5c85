package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonObject;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.Members;
import io.weir.method.params.kind.ObjectKind;
import io.weir.method.params.kind.ParamLimit;
import io.weir.method.params.kind.ValueKind;
import java.util.Set;

/** Log filter. Pure. */
final class LogFilter {

    private static final int MAX_TOPICS = 4;
    private static final String FROM = "fromBlock";
    private static final String TO = "toBlock";
    private static final String HASH = "blockHash";
    static final NameTable FROM_NAME = NameTable.of(Set.of(FROM));
    static final NameTable TO_NAME = NameTable.of(Set.of(TO));
    private static final NameTable HASH_NAME = NameTable.of(Set.of(HASH));

    private static final Kind ALTERNATIVES = ListKind.of(
                    ValueKind.HASH, "topic of 32 bytes in hex, a list of them, or null", ParamLimit.TOPICS)
            .withNulls()
            .orOne();

    /** Kind of the filter. */
    static final Kind KIND = ObjectKind.of("log filter")
            .optional(BlockParameter.NUMBERED, FROM, TO)
            .optional(ValueKind.HASH, HASH)
            .optional(
                    ListKind.of(
                                    ValueKind.ADDRESS,
                                    "address of 20 bytes in hex, or a list of them",
                                    ParamLimit.ADDRESSES)
                            .orOne(),
                    "address")
            .optional(ListKind.upTo(MAX_TOPICS, ALTERNATIVES, "list of topics").withNulls(), "topics")
            .rule(LogFilter::hashOrRange)
            .build();

    private LogFilter() {}

    private static void hashOrRange(Members members) throws InvalidParamsException {
        if (members.get(HASH) != null && (members.get(FROM) != null || members.get(TO) != null)) {
            throw InvalidParamsException.of("blockHash together with fromBlock or toBlock", "one or the other");
        }
    }

    /** Returns the one block, or the last block, of a filter in normal form. */
    static BlockSelector block(RawJson filter) {
        RawJson hash = JsonObject.member(filter, HASH_NAME);
        if (hash != null) {
            return BlockParameter.blockOfHash(hash);
        }
        RawJson to = JsonObject.member(filter, TO_NAME);
        return BlockParameter.block(to == null ? BlockTag.LATEST.json() : to);
    }
}
