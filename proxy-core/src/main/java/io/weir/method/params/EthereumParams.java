package io.weir.method.params;

import static io.weir.method.params.Parameter.block;
import static io.weir.method.params.Parameter.blockHash;
import static io.weir.method.params.Parameter.call;
import static io.weir.method.params.Parameter.optional;
import static io.weir.method.params.Parameter.required;
import static io.weir.method.params.Parameter.stateBlock;
import static io.weir.method.params.Parameter.transactionHash;

import io.weir.config.LimitsConfig;
import io.weir.config.ParamLimit;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.Parameter.Presence;
import io.weir.method.params.Parameter.Role;
import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.PlainKind;
import java.util.HashMap;
import java.util.Map;

/** What the methods of the {@code eth_}, {@code net_} and {@code web3_} names take. Pure. */
public final class EthereumParams {

    private static final Kind PROOF_KEYS =
            ListKind.of(HexKind.PROOF_KEY, "list of storage positions", ParamLimit.PROOF_KEYS);
    private static final Parameter FULL_TRANSACTIONS = required(PlainKind.BOOLEAN);
    private static final Parameter ADDRESS = required(HexKind.ADDRESS);
    private static final Parameter INDEX = required(HexKind.INDEX);
    private static final Parameter DATA = required(HexKind.DATA);
    private static final Parameter FILTER = required(LogFilter.KIND, Role.LOG_FILTER);
    private static final Parameter FILTER_ID = required(PlainKind.TEXT);
    private static final Parameter STATE_OVERRIDES = optional(Overrides.STATE);
    private static final Parameter BLOCK_OVERRIDES = optional(Overrides.BLOCK);
    private static final Parameter PERCENTILES =
            new Parameter(FeeHistory.PERCENTILES, Presence.EXPECTED, Role.ARGUMENT, RawJson.EMPTY_ARRAY);

    private final Map<String, MethodParams> methods = new HashMap<>();

    private final LimitsConfig limits;

    private EthereumParams(LimitsConfig limits) {
        this.limits = limits;
    }

    /** Returns the parameters of every method whose calls are checked, by method. */
    public static Map<String, MethodParams> byMethod(LimitsConfig limits) {
        EthereumParams table = new EthereumParams(limits);
        table.withoutParameters();
        table.blocks();
        table.transactions();
        table.state();
        table.executions();
        table.logs();
        table.writing();
        return Map.copyOf(table.methods);
    }

    private void withoutParameters() {
        for (String method : new String[] {
            "eth_accounts",
            "eth_blobBaseFee",
            "eth_blockNumber",
            "eth_capabilities",
            "eth_chainId",
            "eth_coinbase",
            "eth_config",
            "eth_gasPrice",
            "eth_hashrate",
            "eth_maxPriorityFeePerGas",
            "eth_mining",
            "eth_newBlockFilter",
            "eth_protocolVersion",
            "eth_syncing",
            "net_listening",
            "net_peerCount",
            "net_version",
            "web3_clientVersion"
        }) {
            add(method);
        }
        add("web3_sha3", DATA);
    }

    private void blocks() {
        Parameter numbered = block(BlockParameter.NUMBERED);
        add("eth_getBlockByHash", blockHash(), FULL_TRANSACTIONS);
        add("eth_getBlockByNumber", numbered, FULL_TRANSACTIONS);
        add("eth_getBlockReceipts", block(BlockParameter.RECEIPTS));
        add("eth_getBlockTransactionCountByHash", blockHash());
        add("eth_getBlockTransactionCountByNumber", numbered);
        add("eth_getHeaderByHash", blockHash());
        add("eth_getHeaderByNumber", numbered);
        add("eth_getUncleByBlockHashAndIndex", blockHash(), INDEX);
        add("eth_getUncleByBlockNumberAndIndex", numbered, INDEX);
        add("eth_getUncleCountByBlockHash", blockHash());
        add("eth_getUncleCountByBlockNumber", numbered);
        add("eth_feeHistory", required(FeeHistory.BLOCK_COUNT), numbered, PERCENTILES);
    }

    private void transactions() {
        Parameter numbered = block(BlockParameter.NUMBERED);
        add("eth_getTransactionByHash", transactionHash());
        add("eth_getTransactionReceipt", transactionHash());
        add("eth_getRawTransactionByHash", transactionHash());
        add("eth_getTransactionByBlockHashAndIndex", blockHash(), INDEX);
        add("eth_getTransactionByBlockNumberAndIndex", numbered, INDEX);
        add("eth_getRawTransactionByBlockHashAndIndex", blockHash(), INDEX);
        add("eth_getRawTransactionByBlockNumberAndIndex", numbered, INDEX);
        add("eth_getTransactionBySenderAndNonce", ADDRESS, required(HexKind.QUANTITY_64));
    }

    private void state() {
        add("eth_getBalance", ADDRESS, stateBlock());
        add("eth_getCode", ADDRESS, stateBlock());
        add("eth_getTransactionCount", ADDRESS, stateBlock());
        add("eth_getStorageAt", ADDRESS, required(HexKind.STORAGE_WORD), stateBlock());
        add("eth_getProof", ADDRESS, required(PROOF_KEYS), stateBlock());
    }

    private void executions() {
        add("eth_call", call(), stateBlock(), STATE_OVERRIDES, BLOCK_OVERRIDES);
        add("eth_estimateGas", call(), stateBlock(), STATE_OVERRIDES, BLOCK_OVERRIDES);
        add("eth_createAccessList", call(), stateBlock(), STATE_OVERRIDES);
        add("eth_simulateV1", required(Overrides.SIMULATION), stateBlock());
    }

    private void logs() {
        add("eth_getLogs", FILTER);
        add("eth_newFilter", FILTER);
        add("eth_newPendingTransactionFilter", optional(PlainKind.BOOLEAN));
        add("eth_getFilterChanges", FILTER_ID);
        add("eth_getFilterLogs", FILTER_ID);
        add("eth_uninstallFilter", FILTER_ID);
    }

    private void writing() {
        Parameter transaction = required(CallObject.KIND);
        add("eth_sendRawTransaction", DATA);
        add("eth_sendRawTransactionSync", DATA, optional(PlainKind.ANYTHING));
        add("eth_sendTransaction", transaction);
        add("eth_signTransaction", transaction);
        add("eth_sign", ADDRESS, DATA);
        add("eth_signTypedData_v4", ADDRESS, required(PlainKind.ANYTHING));
    }

    private void add(String method, Parameter... parameters) {
        methods.put(method, MethodParams.of(limits, parameters));
    }
}
