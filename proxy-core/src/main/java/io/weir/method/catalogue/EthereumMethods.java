package io.weir.method.catalogue;

import static io.weir.method.CacheClass.COUNT;
import static io.weir.method.CacheClass.FINAL_VALUE;
import static io.weir.method.CacheClass.HEADER;
import static io.weir.method.CacheClass.HEAD_VALUE;
import static io.weir.method.CacheClass.VALUE;
import static io.weir.method.LookupKind.BY_HASH;
import static io.weir.method.LookupKind.BY_NUMBER;
import static io.weir.method.LookupKind.OF_TRANSACTION;
import static io.weir.method.MethodTrait.BATCHABLE;
import static io.weir.method.MethodTrait.EXECUTES;
import static io.weir.method.MethodTrait.GIVES_BYTES;
import static io.weir.method.MethodTrait.GIVES_JSON;
import static io.weir.method.MethodTrait.GIVES_NUMBER;
import static io.weir.method.MethodTrait.NEEDS_STATE;
import static io.weir.method.MethodTrait.NOTIFIABLE;
import static io.weir.method.MethodTrait.SEARCHES;
import static io.weir.method.MethodTrait.TRACES;
import static io.weir.method.MethodTrait.USES_NODE_KEY;
import static io.weir.method.MethodTrait.WRITES;
import static io.weir.method.NullMeaning.NO_BLOCK;
import static io.weir.method.NullMeaning.NO_OBJECT;
import static io.weir.method.catalogue.MethodRow.foreign;
import static io.weir.method.catalogue.MethodRow.read;
import static io.weir.method.catalogue.MethodRow.slow;
import static io.weir.method.catalogue.MethodRow.stateful;
import static io.weir.method.params.EthereumParams.ADDRESS;
import static io.weir.method.params.EthereumParams.ANYTHING;
import static io.weir.method.params.EthereumParams.BLOCK_COUNT;
import static io.weir.method.params.EthereumParams.BLOCK_HASH;
import static io.weir.method.params.EthereumParams.BLOCK_OVERRIDES;
import static io.weir.method.params.EthereumParams.CALL;
import static io.weir.method.params.EthereumParams.DATA;
import static io.weir.method.params.EthereumParams.FILTER_ID;
import static io.weir.method.params.EthereumParams.FULL_PENDING;
import static io.weir.method.params.EthereumParams.FULL_TRANSACTIONS;
import static io.weir.method.params.EthereumParams.INDEX;
import static io.weir.method.params.EthereumParams.LOG_FILTER;
import static io.weir.method.params.EthereumParams.NONCE;
import static io.weir.method.params.EthereumParams.NUMBERED_BLOCK;
import static io.weir.method.params.EthereumParams.OPTIONAL_ANYTHING;
import static io.weir.method.params.EthereumParams.PERCENTILES;
import static io.weir.method.params.EthereumParams.PROOF_KEYS;
import static io.weir.method.params.EthereumParams.RECEIPTS_BLOCK;
import static io.weir.method.params.EthereumParams.SIMULATION;
import static io.weir.method.params.EthereumParams.STATE_BLOCK;
import static io.weir.method.params.EthereumParams.STATE_OVERRIDES;
import static io.weir.method.params.EthereumParams.STORAGE_POSITION;
import static io.weir.method.params.EthereumParams.STORAGE_POSITIONS;
import static io.weir.method.params.EthereumParams.TRACED_BLOCK;
import static io.weir.method.params.EthereumParams.TRANSACTION_HASH;
import static io.weir.method.params.EthereumParams.UNSIGNED_TRANSACTION;

import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ContractScope;
import io.weir.method.LookupKind;
import io.weir.method.MethodRole;
import io.weir.method.ProofKind;
import io.weir.method.ResultForm;
import io.weir.method.params.Parameter;
import java.util.List;
import java.util.stream.Stream;

/** The rows of Ethereum's methods. Pure. */
final class EthereumMethods {

    private static final int LOOKUP = 1;
    private static final int EXECUTION = 5;
    private static final int RANGE = 10;
    private static final int TRACE = 20;

    private EthereumMethods() {}

    static List<MethodRow> rows() {
        return Stream.of(blocks(), transactions(), sent(), state(), executions(), chain(), nodes(), filters(), traces())
                .flatMap(List::stream)
                .toList();
    }

    private static List<MethodRow> blocks() {
        return List.of(
                block("eth_getBlockByHash").takes(BLOCK_HASH, FULL_TRANSACTIONS).finds(BY_HASH, NO_BLOCK),
                block("eth_getBlockByNumber")
                        .takes(NUMBERED_BLOCK, FULL_TRANSACTIONS)
                        .finds(BY_NUMBER, NO_BLOCK),
                header("eth_getHeaderByHash").takes(BLOCK_HASH).finds(BY_HASH, NO_BLOCK),
                header("eth_getHeaderByNumber").takes(NUMBERED_BLOCK).finds(BY_NUMBER, NO_BLOCK),
                // Large, but nodes store the receipts as they answer them.
                slow("eth_getBlockReceipts", RANGE)
                        .gives(ResultForm.OBJECTS)
                        .with(BATCHABLE)
                        .takes(RECEIPTS_BLOCK)
                        .finds(BY_HASH, NO_BLOCK)
                        .ofBlock(CacheClass.RECEIPTS, BlockField.RECEIPTS),
                slow("eth_getBlockAccessList", RANGE)
                        .gives(ResultForm.OBJECTS)
                        .reaches(ContractScope.NONE)
                        .takes(RECEIPTS_BLOCK)
                        .finds(BY_HASH, NO_BLOCK)
                        .cached(FINAL_VALUE),
                count("eth_getBlockTransactionCountByHash", BlockField.TRANSACTION_COUNT, BLOCK_HASH, BY_HASH),
                count("eth_getBlockTransactionCountByNumber", BlockField.TRANSACTION_COUNT, NUMBERED_BLOCK, BY_NUMBER),
                count("eth_getUncleCountByBlockHash", BlockField.UNCLE_COUNT, BLOCK_HASH, BY_HASH),
                count("eth_getUncleCountByBlockNumber", BlockField.UNCLE_COUNT, NUMBERED_BLOCK, BY_NUMBER),
                uncle("eth_getUncleByBlockHashAndIndex", BLOCK_HASH, BY_HASH),
                uncle("eth_getUncleByBlockNumberAndIndex", NUMBERED_BLOCK, BY_NUMBER),
                ofChain("eth_feeHistory", ResultForm.OBJECT)
                        .takes(BLOCK_COUNT, NUMBERED_BLOCK, PERCENTILES)
                        .cached(VALUE));
    }

    private static MethodRow block(String name) {
        return ofChain(name, ResultForm.OBJECT).ofBlock(CacheClass.BLOCK, BlockField.WHOLE);
    }

    private static MethodRow header(String name) {
        return ofChain(name, ResultForm.OBJECT).cached(HEADER).provenBy(ProofKind.HEADER);
    }

    private static MethodRow count(String name, BlockField counted, Parameter block, LookupKind by) {
        return ofChain(name, ResultForm.QUANTITY)
                .takes(block)
                .finds(by, NO_BLOCK)
                .ofBlock(COUNT, counted);
    }

    private static MethodRow uncle(String name, Parameter block, LookupKind by) {
        return indexed(name, ResultForm.OBJECT, block, by).ofBlock(CacheClass.UNCLE, BlockField.UNCLE);
    }

    /** Begins the row of a method that finds one object of a block by its index. */
    private static MethodRow indexed(String name, ResultForm form, Parameter block, LookupKind by) {
        return read(name).gives(form).takes(block, INDEX).finds(by, NO_OBJECT);
    }

    /** Begins the row of a read that is about no contract in particular. */
    private static MethodRow ofChain(String name, ResultForm form) {
        return read(name).gives(form).reaches(ContractScope.NONE);
    }

    private static List<MethodRow> transactions() {
        return List.of(
                byHash("eth_getTransactionByHash", CacheClass.TRANSACTION, BlockField.TRANSACTION),
                inBlock("eth_getTransactionByBlockHashAndIndex", BLOCK_HASH, BY_HASH),
                inBlock("eth_getTransactionByBlockNumberAndIndex", NUMBERED_BLOCK, BY_NUMBER),
                read("eth_getTransactionBySenderAndNonce")
                        .gives(ResultForm.OBJECT)
                        .takes(ADDRESS, NONCE)
                        .finds(BY_NUMBER, NO_OBJECT),
                byHash("eth_getTransactionReceipt", CacheClass.RECEIPT, BlockField.RECEIPT),
                // Never cached: a node may have the bytes of a pending transaction, and forget them.
                read("eth_getRawTransactionByHash")
                        .gives(ResultForm.DATA)
                        .takes(TRANSACTION_HASH)
                        .finds(OF_TRANSACTION, NO_OBJECT),
                rawInBlock("eth_getRawTransactionByBlockHashAndIndex", BLOCK_HASH, BY_HASH),
                rawInBlock("eth_getRawTransactionByBlockNumberAndIndex", NUMBERED_BLOCK, BY_NUMBER));
    }

    private static MethodRow byHash(String name, CacheClass form, BlockField field) {
        return ofChain(name, ResultForm.OBJECT)
                .takes(TRANSACTION_HASH)
                .finds(OF_TRANSACTION, NO_OBJECT)
                .cached(form)
                .cut(field)
                .provenBy(ProofKind.LOOKUP);
    }

    private static MethodRow inBlock(String name, Parameter block, LookupKind by) {
        return indexed(name, ResultForm.OBJECT, block, by).ofBlock(CacheClass.TRANSACTION, BlockField.TRANSACTION);
    }

    private static MethodRow rawInBlock(String name, Parameter block, LookupKind by) {
        return indexed(name, ResultForm.DATA, block, by).cached(COUNT).provenBy(ProofKind.RAW_TRANSACTION);
    }

    private static List<MethodRow> sent() {
        return List.of(
                stateful("eth_sendRawTransaction", EXECUTION)
                        .reaches(ContractScope.SIGNED)
                        .with(WRITES, NOTIFIABLE)
                        .takes(DATA)
                        .as(MethodRole.SEND_RAW),
                stateful("eth_sendRawTransactionSync")
                        .reaches(ContractScope.SIGNED)
                        .with(WRITES)
                        .takes(DATA, OPTIONAL_ANYTHING)
                        .as(MethodRole.SEND_RAW_SYNC),
                foreign("eth_sendRawTransactionConditional").with(WRITES),
                stateful("eth_sendTransaction", EXECUTION)
                        .reaches(ContractScope.CALL)
                        .with(WRITES, NOTIFIABLE, USES_NODE_KEY)
                        .takes(UNSIGNED_TRANSACTION),
                stateful("eth_sign").with(USES_NODE_KEY).takes(ADDRESS, DATA),
                stateful("eth_signTransaction").with(USES_NODE_KEY).takes(UNSIGNED_TRANSACTION),
                stateful("eth_signTypedData_v4").with(USES_NODE_KEY).takes(ADDRESS, ANYTHING),
                foreign("eth_resend").with(USES_NODE_KEY));
    }

    private static List<MethodRow> state() {
        return List.of(
                ofState("eth_getBalance", ResultForm.QUANTITY)
                        .with(GIVES_NUMBER)
                        .takes(ADDRESS, STATE_BLOCK),
                ofState("eth_getCode", ResultForm.DATA).with(GIVES_BYTES).takes(ADDRESS, STATE_BLOCK),
                ofState("eth_getStorageAt", ResultForm.WORD)
                        .with(GIVES_NUMBER)
                        .takes(ADDRESS, STORAGE_POSITION, STATE_BLOCK),
                ofState("eth_getTransactionCount", ResultForm.QUANTITY)
                        .with(GIVES_NUMBER)
                        .takes(ADDRESS, STATE_BLOCK),
                slow("eth_getStorageValues", EXECUTION)
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.ANY)
                        .with(NEEDS_STATE)
                        .takes(STORAGE_POSITIONS, STATE_BLOCK)
                        .cached(VALUE),
                slow("eth_getProof", RANGE)
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE)
                        .takes(ADDRESS, PROOF_KEYS, STATE_BLOCK)
                        .cached(VALUE),
                slow("eth_getLogs", RANGE)
                        .gives(ResultForm.OBJECTS)
                        .reaches(ContractScope.LOGS)
                        .with(SEARCHES)
                        .takes(LOG_FILTER)
                        .ofBlock(CacheClass.LOGS, BlockField.LOGS));
    }

    /** Begins the row of a method that gives a value of an account. */
    private static MethodRow ofState(String name, ResultForm form) {
        return read(name)
                .gives(form)
                .reaches(ContractScope.ADDRESS)
                .with(NEEDS_STATE)
                .cached(VALUE);
    }

    private static List<MethodRow> executions() {
        return List.of(
                execution("eth_call", ResultForm.DATA)
                        .with(GIVES_BYTES)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES, BLOCK_OVERRIDES)
                        .cached(VALUE),
                execution("eth_createAccessList", ResultForm.OBJECT)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES)
                        .cached(VALUE),
                // Never cached: an estimate may differ from node to node.
                execution("eth_estimateGas", ResultForm.QUANTITY)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES, BLOCK_OVERRIDES),
                execution("eth_simulateV1", ResultForm.OBJECTS)
                        .reaches(ContractScope.ANY)
                        .takes(SIMULATION, STATE_BLOCK),
                execution("eth_fillTransaction", ResultForm.OBJECT).takes(UNSIGNED_TRANSACTION),
                foreign("eth_callMany").with(EXECUTES));
    }

    private static MethodRow execution(String name, ResultForm form) {
        return slow(name, EXECUTION).gives(form).reaches(ContractScope.CALL).with(EXECUTES, NEEDS_STATE);
    }

    private static List<MethodRow> chain() {
        return List.of(
                ofChain("eth_chainId", ResultForm.ANY).takes().as(MethodRole.CHAIN_ID),
                ofChain("net_version", ResultForm.TEXT).takes().cached(HEAD_VALUE),
                ofChain("eth_blockNumber", ResultForm.QUANTITY).takes().as(MethodRole.HEAD_NUMBER),
                ofChain("eth_baseFee", ResultForm.QUANTITY).takes().cached(HEAD_VALUE),
                ofChain("eth_blobBaseFee", ResultForm.QUANTITY).takes().cached(HEAD_VALUE),
                ofChain("eth_gasPrice", ResultForm.QUANTITY).takes().cached(HEAD_VALUE),
                ofChain("eth_maxPriorityFeePerGas", ResultForm.QUANTITY).takes().cached(HEAD_VALUE),
                ofChain("eth_capabilities", ResultForm.ANY).takes(),
                ofChain("eth_config", ResultForm.ANY).takes());
    }

    private static List<MethodRow> nodes() {
        return List.of(
                read("eth_accounts").gives(ResultForm.TEXTS).with(USES_NODE_KEY).takes(),
                read("eth_coinbase").with(USES_NODE_KEY).takes(),
                read("eth_hashrate").takes(),
                read("eth_mining").gives(ResultForm.BOOLEAN).takes(),
                ofChain("eth_protocolVersion", ResultForm.ANY).takes(),
                ofChain("eth_syncing", ResultForm.ANY).takes(),
                ofChain("net_listening", ResultForm.BOOLEAN).takes(),
                ofChain("net_peerCount", ResultForm.QUANTITY).takes(),
                ofChain("web3_clientVersion", ResultForm.TEXT).takes(),
                ofChain("web3_sha3", ResultForm.WORD).takes(DATA),
                slow("txpool_content", LOOKUP),
                slow("txpool_contentFrom", LOOKUP),
                slow("txpool_inspect", LOOKUP),
                slow("txpool_status", LOOKUP));
    }

    private static List<MethodRow> filters() {
        return List.of(
                filter("eth_newFilter", MethodRole.NEW_LOG_FILTER)
                        .reaches(ContractScope.LOGS)
                        .with(SEARCHES)
                        .takes(LOG_FILTER),
                filter("eth_newBlockFilter", MethodRole.NEW_BLOCK_FILTER).takes(),
                filter("eth_newPendingTransactionFilter", MethodRole.NEW_PENDING_FILTER)
                        .reaches(ContractScope.ANY)
                        .takes(FULL_PENDING),
                filter("eth_getFilterChanges", MethodRole.FILTER_CHANGES).takes(FILTER_ID),
                filter("eth_getFilterLogs", MethodRole.FILTER_LOGS)
                        .with(SEARCHES)
                        .takes(FILTER_ID),
                filter("eth_uninstallFilter", MethodRole.UNINSTALL_FILTER).takes(FILTER_ID),
                filter("eth_subscribe", MethodRole.SUBSCRIBE).reaches(ContractScope.SUBSCRIPTION),
                filter("eth_unsubscribe", MethodRole.UNSUBSCRIBE));
    }

    /** Begins the row of a method of filters or subscriptions, whose calls reach no contract in particular. */
    private static MethodRow filter(String name, MethodRole role) {
        return stateful(name).reaches(ContractScope.NONE).as(role);
    }

    private static List<MethodRow> traces() {
        return List.of(
                trace("debug_getBadBlocks"),
                trace("debug_getModifiedAccountsByHash"),
                trace("debug_getModifiedAccountsByNumber"),
                trace("debug_getRawBlock"),
                trace("debug_getRawBlockAccessList"),
                trace("debug_getRawHeader"),
                trace("debug_getRawReceipts"),
                trace("debug_getRawTransaction"),
                trace("debug_storageRangeAt"),
                trace("debug_traceBlock"),
                mined("debug_traceBlockByHash").takes(BLOCK_HASH, OPTIONAL_ANYTHING),
                mined("debug_traceBlockByNumber").takes(NUMBERED_BLOCK, OPTIONAL_ANYTHING),
                trace("debug_traceCall").with(EXECUTES),
                mined("debug_traceTransaction").takes(TRANSACTION_HASH, OPTIONAL_ANYTHING),
                mined("trace_block").takes(TRACED_BLOCK, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING),
                trace("trace_call").with(EXECUTES),
                trace("trace_callMany"),
                trace("trace_filter").with(SEARCHES),
                trace("trace_get"),
                trace("trace_rawTransaction"),
                mined("trace_replayBlockTransactions")
                        .takes(TRACED_BLOCK, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING),
                mined("trace_replayTransaction")
                        .takes(TRANSACTION_HASH, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING),
                mined("trace_transaction").takes(TRANSACTION_HASH, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING));
    }

    private static MethodRow trace(String name) {
        return slow(name, TRACE).with(TRACES);
    }

    /** Begins the row of a method that traces a mined block, or a transaction in one. Options follow the block in any form. */
    private static MethodRow mined(String name) {
        return trace(name).with(GIVES_JSON).cached(FINAL_VALUE);
    }
}
