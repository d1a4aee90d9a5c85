package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.Parameter.Role;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.MapKind;
import io.weir.method.params.kind.ObjectKind;
import io.weir.method.params.kind.ParamCounts;
import io.weir.method.params.kind.ParamLimit;
import io.weir.method.params.kind.ValueKind;
import java.util.List;

/** The parameters that Ethereum's methods take; the rows of {@code io.weir.method} say which method takes which. Immutable. */
public final class EthereumParams {

    /** A block's number or tag. */
    public static final Parameter NUMBERED_BLOCK = Parameter.block(BlockParameter.NUMBERED);

    /** A block's hash. */
    public static final Parameter BLOCK_HASH = Parameter.required(ValueKind.HASH, Role.BLOCK_HASH);

    /** A block in one of the forms that {@code eth_getBlockReceipts} takes. */
    public static final Parameter RECEIPTS_BLOCK = Parameter.block(BlockParameter.RECEIPTS);

    /** A block in one of the forms that {@code trace_block} takes. */
    public static final Parameter TRACED_BLOCK = Parameter.block(BlockParameter.TRACED);

    /** The block of a call that asks for state, or executes code in it. Nodes that accept calls without it use the head. */
    public static final Parameter STATE_BLOCK =
            new Parameter(BlockParameter.STATE, true, Role.BLOCK, BlockTag.LATEST.json());

    /** The hash of a transaction. */
    public static final Parameter TRANSACTION_HASH = Parameter.required(ValueKind.HASH, Role.TRANSACTION_HASH);

    /** Whether a block's transactions are wanted in full. */
    public static final Parameter FULL_TRANSACTIONS = Parameter.required(ValueKind.BOOLEAN);

    /** An index in a block. */
    public static final Parameter INDEX = Parameter.required(ValueKind.INDEX);

    /** An account. */
    public static final Parameter ADDRESS = Parameter.required(ValueKind.ADDRESS);

    /** The nonce of a transaction. */
    public static final Parameter NONCE = Parameter.required(ValueKind.QUANTITY_64);

    /** A position in an account's storage. */
    public static final Parameter STORAGE_POSITION = Parameter.required(ValueKind.STORAGE_WORD);

    /** The positions in an account's storage that are to be proven. */
    public static final Parameter PROOF_KEYS =
            Parameter.required(ListKind.of(ValueKind.PROOF_KEY, "list of storage positions", ParamLimit.PROOF_KEYS));

    /** Positions in the storage of several accounts. */
    public static final Parameter STORAGE_POSITIONS = Parameter.required(new MapKind(
            ValueKind.ADDRESS,
            ListKind.of(ValueKind.STORAGE_WORD, "list of storage positions", ParamLimit.PROOF_KEYS),
            "storage positions by address",
            ParamLimit.STORAGE_ACCOUNTS));

    /** Bytes. */
    public static final Parameter DATA = Parameter.required(ValueKind.DATA);

    /** A call to execute. */
    public static final Parameter CALL = Parameter.required(CallObject.KIND, Role.CALL);

    /** A transaction for a node to sign. */
    public static final Parameter UNSIGNED_TRANSACTION = Parameter.required(CallObject.KIND);

    /** Calls to simulate. */
    public static final Parameter SIMULATION = Parameter.required(Overrides.SIMULATION);

    /** State to execute with in place of the chain's. */
    public static final Parameter STATE_OVERRIDES = Parameter.optional(Overrides.STATE);

    /** Fields of the block to execute with in place of the chain's. */
    public static final Parameter BLOCK_OVERRIDES = Parameter.optional(Overrides.BLOCK);

    /** A filter of logs. */
    public static final Parameter LOG_FILTER = Parameter.required(LogFilter.KIND, Role.LOG_FILTER);

    /** The id of a filter at a node. */
    public static final Parameter FILTER_ID = Parameter.required(ValueKind.TEXT);

    /** Whether pending transactions are wanted in full. */
    public static final Parameter FULL_PENDING = Parameter.optional(ValueKind.BOOLEAN);

    /** A number of blocks. */
    public static final Parameter BLOCK_COUNT = Parameter.required(FeeHistory.BLOCK_COUNT);

    /** Percentiles of fees. */
    public static final Parameter PERCENTILES =
            new Parameter(FeeHistory.PERCENTILES, true, Role.ARGUMENT, RawJson.EMPTY_ARRAY);

    /** A value of any form. */
    public static final Parameter ANYTHING = Parameter.required(ValueKind.ANYTHING);

    /** A value of any form, or none. */
    public static final Parameter OPTIONAL_ANYTHING = Parameter.optional(ValueKind.ANYTHING);

    private EthereumParams() {}

    /** Parameters that only {@code eth_feeHistory} has. Pure. */
    private static final class FeeHistory {

        private static final int MAX_LENGTH = 40;

        /** A number of blocks, which nodes accept in decimal too. */
        static final Kind BLOCK_COUNT = FeeHistory::blockCount;

        /** Percentiles, which must not decrease. */
        static final Kind PERCENTILES = FeeHistory::percentiles;

        private static final Kind LIST =
                ListKind.of(FeeHistory::percentile, "list of percentiles", ParamLimit.PERCENTILES);

        private FeeHistory() {}

        private static RawJson blockCount(RawJson value, ParamCounts counts) throws InvalidParamsException {
            if (isDigit(value.first()) && value.length() <= MAX_LENGTH) {
                try {
                    return RawJson.of("\"0x" + Long.toHexString(Long.parseLong(value.toString())) + '"');
                } catch (NumberFormatException e) {
                    throw InvalidParamsException.wrong(value, "quantity in hex of at most 64 bits");
                }
            }
            return ValueKind.QUANTITY_64.normalise(value, counts);
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

    /** Overrides of the chain's state for a call. Pure. */
    private static final class Overrides {

        private static final Kind SLOTS = new MapKind(
                ValueKind.STORAGE_WORD, ValueKind.STORAGE_WORD, "storage by position", ParamLimit.STORAGE_SLOTS);

        /** Overridden accounts, by address. */
        static final Kind STATE = new MapKind(
                ValueKind.ADDRESS,
                ObjectKind.of("account override")
                        .optional(ValueKind.QUANTITY, "balance")
                        .optional(ValueKind.QUANTITY_64, "nonce")
                        .optional(ValueKind.DATA, "code")
                        .optional(SLOTS, "state", "stateDiff")
                        .optional(ValueKind.ADDRESS, "movePrecompileToAddress")
                        .build(),
                "account overrides by address",
                ParamLimit.OVERRIDES);

        /** Overridden fields of the block. */
        static final Kind BLOCK = ObjectKind.of("block override")
                .optional(ValueKind.QUANTITY, "number", "difficulty")
                .optional(ValueKind.QUANTITY_64, "time", "gasLimit")
                .optional(ValueKind.ADDRESS, "feeRecipient", "coinbase")
                .optional(ValueKind.HASH, "prevRandao", "random")
                .optional(ValueKind.QUANTITY, "baseFeePerGas", "baseFee", "blobBaseFee")
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
                .optional(ValueKind.BOOLEAN, "traceTransfers", "validation", "returnFullTransactions")
                .build();

        private Overrides() {}
    }
}
