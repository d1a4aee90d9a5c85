package io.weir.method.params;

import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.MapKind;
import io.weir.method.params.kind.ObjectKind;
import io.weir.method.params.kind.ParamLimit;
import io.weir.method.params.kind.PlainKind;

/** Overrides of the chain's state for a call. Pure. */
final class Overrides {

    private static final Kind SLOTS =
            new MapKind(HexKind.STORAGE_WORD, HexKind.STORAGE_WORD, "storage by position", ParamLimit.STORAGE_SLOTS);

    /** Overridden accounts, by address. */
    static final Kind STATE = new MapKind(
            HexKind.ADDRESS,
            ObjectKind.of("account override")
                    .optional(HexKind.QUANTITY, "balance")
                    .optional(HexKind.QUANTITY_64, "nonce")
                    .optional(HexKind.DATA, "code")
                    .optional(SLOTS, "state", "stateDiff")
                    .optional(HexKind.ADDRESS, "movePrecompileToAddress")
                    .build(),
            "account overrides by address",
            ParamLimit.OVERRIDES);

    /** Overridden fields of the block. */
    static final Kind BLOCK = ObjectKind.of("block override")
            .optional(HexKind.QUANTITY, "number", "difficulty")
            .optional(HexKind.QUANTITY_64, "time", "gasLimit")
            .optional(HexKind.ADDRESS, "feeRecipient", "coinbase")
            .optional(HexKind.HASH, "prevRandao", "random")
            .optional(HexKind.QUANTITY, "baseFeePerGas", "baseFee", "blobBaseFee")
            .build();

    private static final Kind BLOCK_OF_CALLS = ObjectKind.of("block of calls")
            .optional(BLOCK, "blockOverrides")
            .optional(STATE, "stateOverrides")
            .optional(ListKind.of(CallObject.KIND, "list of call objects", ParamLimit.SIMULATED_CALLS), "calls")
            .build();

    /** Blocks of calls to execute one after the other. */
    static final Kind SIMULATION = ObjectKind.of("simulation")
            .required(
                    ListKind.of(BLOCK_OF_CALLS, "list of blocks of calls", ParamLimit.SIMULATED_BLOCKS),
                    "blockStateCalls")
            .optional(PlainKind.BOOLEAN, "traceTransfers", "validation", "returnFullTransactions")
            .build();

    private Overrides() {}
}
