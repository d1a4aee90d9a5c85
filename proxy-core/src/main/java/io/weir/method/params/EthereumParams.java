package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.Parameter.Role;
import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.ParamLimit;
import io.weir.method.params.kind.PlainKind;

/** The parameters that Ethereum's methods take; the rows of {@code io.weir.method} say which method takes which. Immutable. */
public final class EthereumParams {

    /** A block's number or tag. */
    public static final Parameter NUMBERED_BLOCK = Parameter.block(BlockParameter.NUMBERED);

    /** A block's hash. */
    public static final Parameter BLOCK_HASH = Parameter.blockHash();

    /** A block in one of the forms that {@code eth_getBlockReceipts} takes. */
    public static final Parameter RECEIPTS_BLOCK = Parameter.block(BlockParameter.RECEIPTS);

    /** A block in one of the forms that {@code trace_block} takes. */
    public static final Parameter TRACED_BLOCK = Parameter.block(BlockParameter.TRACED);

    /** The block of a call that asks for state, or executes code in it. */
    public static final Parameter STATE_BLOCK = Parameter.stateBlock();

    /** The hash of a transaction. */
    public static final Parameter TRANSACTION_HASH = Parameter.transactionHash();

    /** Whether a block's transactions are wanted in full. */
    public static final Parameter FULL_TRANSACTIONS = Parameter.required(PlainKind.BOOLEAN);

    /** An index in a block. */
    public static final Parameter INDEX = Parameter.required(HexKind.INDEX);

    /** An account. */
    public static final Parameter ADDRESS = Parameter.required(HexKind.ADDRESS);

    /** The nonce of a transaction. */
    public static final Parameter NONCE = Parameter.required(HexKind.QUANTITY_64);

    /** A position in an account's storage. */
    public static final Parameter STORAGE_POSITION = Parameter.required(HexKind.STORAGE_WORD);

    /** The positions in an account's storage that are to be proven. */
    public static final Parameter PROOF_KEYS =
            Parameter.required(ListKind.of(HexKind.PROOF_KEY, "list of storage positions", ParamLimit.PROOF_KEYS));

    /** Bytes. */
    public static final Parameter DATA = Parameter.required(HexKind.DATA);

    /** A call to execute. */
    public static final Parameter CALL = Parameter.call();

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
    public static final Parameter FILTER_ID = Parameter.required(PlainKind.TEXT);

    /** Whether pending transactions are wanted in full. */
    public static final Parameter FULL_PENDING = Parameter.optional(PlainKind.BOOLEAN);

    /** A number of blocks. */
    public static final Parameter BLOCK_COUNT = Parameter.required(FeeHistory.BLOCK_COUNT);

    /** Percentiles of fees. */
    public static final Parameter PERCENTILES =
            new Parameter(FeeHistory.PERCENTILES, true, Role.ARGUMENT, RawJson.EMPTY_ARRAY);

    /** A value of any form. */
    public static final Parameter ANYTHING = Parameter.required(PlainKind.ANYTHING);

    /** A value of any form, or none. */
    public static final Parameter OPTIONAL_ANYTHING = Parameter.optional(PlainKind.ANYTHING);

    private EthereumParams() {}
}
