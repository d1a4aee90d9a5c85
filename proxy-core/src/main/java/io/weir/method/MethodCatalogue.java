package io.weir.method;

import io.weir.config.LimitsConfig;
import io.weir.method.params.EthereumParams;
import io.weir.method.params.MethodParams;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The methods that the proxy knows. What it does not know passes through as neither repeatable nor sensible without an
 * answer. Immutable and thread-safe.
 */
public final class MethodCatalogue {

    /** Large, but kept by nodes as it is answered. */
    private static final String BLOCK_RECEIPTS = "eth_getBlockReceipts";

    private static final int LOOKUP = 1;
    private static final int EXECUTION = 5;
    private static final int RANGE = 10;
    private static final int TRACE = 20;

    private final Map<String, MethodFacts> methods = new HashMap<>();

    private final Map<String, MethodParams> params;

    private MethodCatalogue(Map<String, MethodParams> params) {
        this.params = params;
    }

    /** The methods of the Ethereum namespaces, as execution clients serve them. */
    public static MethodCatalogue ethereum() {
        return ethereum(LimitsConfig.DEFAULT);
    }

    /** The same with other limits on parameters. */
    public static MethodCatalogue ethereum(LimitsConfig limits) {
        return of(EthereumParams.byMethod(limits));
    }

    /** The same names for chains of another kind, whose nodes may take other parameters under them. */
    public static MethodCatalogue otherKind() {
        return of(Map.of());
    }

    private static MethodCatalogue of(Map<String, MethodParams> params) {
        MethodCatalogue catalogue = new MethodCatalogue(params);
        catalogue.lookups();
        catalogue.executions();
        catalogue.traces();
        catalogue.stateful();
        return catalogue;
    }

    /** What is known of a method. */
    public MethodFacts facts(String method) {
        MethodFacts facts = methods.get(method);
        return facts == null ? MethodFacts.unknown(method) : facts;
    }

    /**
     * Whether calls of the method may be sent to a node together with others: lookups that can be repeated and that a node
     * answers about as quickly as any other. The answers to a batch come together, so that one that is long in coming keeps
     * the others waiting. That is why calls that execute code or search (eth_call, eth_getLogs, traces) are none of them, nor
     * those that gather up state (eth_getProof) or the whole transaction pool.
     */
    public boolean isBatchable(String method) {
        MethodFacts facts = facts(method);
        boolean quick = facts.cost() == LOOKUP || method.equals(BLOCK_RECEIPTS);
        return facts.repeatable() && quick && !method.startsWith("txpool_");
    }

    /** Whether the method is in the catalogue. */
    public boolean knows(String method) {
        return methods.containsKey(method);
    }

    /** Every method that is known. */
    public Collection<MethodFacts> all() {
        return methods.values();
    }

    private void lookups() {
        reads(
                LOOKUP,
                "eth_accounts",
                "eth_blobBaseFee",
                "eth_blockNumber",
                "eth_capabilities",
                "eth_chainId",
                "eth_coinbase",
                "eth_config",
                "eth_feeHistory",
                "eth_gasPrice",
                "eth_getBalance",
                "eth_getBlockByHash",
                "eth_getBlockByNumber",
                "eth_getBlockTransactionCountByHash",
                "eth_getBlockTransactionCountByNumber",
                "eth_getCode",
                "eth_getHeaderByHash",
                "eth_getHeaderByNumber",
                "eth_getRawTransactionByBlockHashAndIndex",
                "eth_getRawTransactionByBlockNumberAndIndex",
                "eth_getRawTransactionByHash",
                "eth_getStorageAt",
                "eth_getTransactionByBlockHashAndIndex",
                "eth_getTransactionByBlockNumberAndIndex",
                "eth_getTransactionByHash",
                "eth_getTransactionBySenderAndNonce",
                "eth_getTransactionCount",
                "eth_getTransactionReceipt",
                "eth_getUncleByBlockHashAndIndex",
                "eth_getUncleByBlockNumberAndIndex",
                "eth_getUncleCountByBlockHash",
                "eth_getUncleCountByBlockNumber",
                "eth_hashrate",
                "eth_maxPriorityFeePerGas",
                "eth_mining",
                "eth_protocolVersion",
                "eth_syncing",
                "net_listening",
                "net_peerCount",
                "net_version",
                "web3_clientVersion",
                "web3_sha3",
                "txpool_content",
                "txpool_contentFrom",
                "txpool_inspect",
                "txpool_status");
        reads(RANGE, BLOCK_RECEIPTS, "eth_getLogs", "eth_getProof");
    }

    private void executions() {
        reads(EXECUTION, "eth_call", "eth_createAccessList", "eth_estimateGas", "eth_simulateV1");
    }

    private void traces() {
        reads(
                TRACE,
                "debug_getBadBlocks",
                "debug_getModifiedAccountsByHash",
                "debug_getModifiedAccountsByNumber",
                "debug_getRawBlock",
                "debug_getRawHeader",
                "debug_getRawReceipts",
                "debug_getRawTransaction",
                "debug_storageRangeAt",
                "debug_traceBlock",
                "debug_traceBlockByHash",
                "debug_traceBlockByNumber",
                "debug_traceCall",
                "debug_traceTransaction",
                "trace_block",
                "trace_call",
                "trace_callMany",
                "trace_filter",
                "trace_get",
                "trace_rawTransaction",
                "trace_replayBlockTransactions",
                "trace_replayTransaction",
                "trace_transaction");
    }

    /**
     * What a node remembers, or changes: not sent twice when it may have been carried out. Signed transactions that the proxy can
     * read are the exception, which {@code pipeline.send} makes: their hash tells that they are the same.
     */
    private void stateful() {
        add("eth_sendRawTransaction", false, true, EXECUTION);
        add("eth_sendTransaction", false, true, EXECUTION);
        for (String method : new String[] {
            "eth_getFilterChanges",
            "eth_getFilterLogs",
            "eth_newBlockFilter",
            "eth_newFilter",
            "eth_newPendingTransactionFilter",
            "eth_sendRawTransactionSync",
            "eth_sign",
            "eth_signTransaction",
            "eth_signTypedData_v4",
            "eth_subscribe",
            "eth_uninstallFilter",
            "eth_unsubscribe"
        }) {
            add(method, false, false, LOOKUP);
        }
    }

    private void reads(int cost, String... names) {
        for (String name : names) {
            add(name, true, false, cost);
        }
    }

    private void add(String name, boolean repeatable, boolean notifiable, int cost) {
        methods.put(name, new MethodFacts(name, repeatable, notifiable, cost, params.get(name)));
    }
}
