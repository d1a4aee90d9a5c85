package io.weir.method;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The calls that the proxy itself makes to nodes. Their parameters are in normal form, so they equal the parameters under which the
 * cache stores results. Pure.
 */
public final class ChainCalls {

    /** The method that returns the number of a node's newest block. */
    public static final String HEAD_NUMBER = "eth_blockNumber";

    /** The method that returns the block at a height. */
    public static final String BLOCK_BY_NUMBER = "eth_getBlockByNumber";

    /** The method that returns all receipts of a block. */
    public static final String BLOCK_RECEIPTS = "eth_getBlockReceipts";

    /** Looks a transaction up. */
    public static final String TRANSACTION = "eth_getTransactionByHash";

    /** Looks the receipt of a transaction up. */
    public static final String RECEIPT = "eth_getTransactionReceipt";

    /** The method that counts the transactions of an account. */
    public static final String TRANSACTION_COUNT = "eth_getTransactionCount";

    /** The method that returns the balance of an account. */
    public static final String BALANCE = "eth_getBalance";

    /** The method that returns the code of an account. */
    public static final String CODE = "eth_getCode";

    /** The method that returns a slot of an account's storage. */
    public static final String STORAGE = "eth_getStorageAt";

    /** The method that executes a call. */
    public static final String CALL = "eth_call";

    /** The method that returns the id of the chain. */
    public static final String CHAIN_ID = "eth_chainId";

    /** The method that names the program of a node. */
    public static final String CLIENT = "web3_clientVersion";

    /** The method that says what a node has. */
    public static final String CAPABILITIES = "eth_capabilities";

    /** The method that traces the calls of a block, with geth's tracers. */
    public static final String DEBUG_TRACE = "debug_traceBlockByNumber";

    /** The method that traces a block in the form of OpenEthereum. */
    public static final String TRACE_BLOCK = "trace_block";

    /** The method that sends a signed transaction. */
    public static final String SEND_RAW = "eth_sendRawTransaction";

    /** The method that returns an account and slots of its storage with their proof. */
    public static final String PROOF = "eth_getProof";

    /** The method that returns logs. */
    public static final String LOGS = "eth_getLogs";

    /** The method that begins notifications. */
    public static final String SUBSCRIBE = "eth_subscribe";

    private static final String BLOCK_BY_HASH = "eth_getBlockByHash";
    private static final String UNCLE = "eth_getUncleByBlockHashAndIndex";
    private static final String UNINSTALL_FILTER = "eth_uninstallFilter";

    private static final String NEW_PENDING_FILTER = "eth_newPendingTransactionFilter";
    private static final String FILTER_CHANGES = "eth_getFilterChanges";

    private ChainCalls() {}

    public static RpcCall subscribeToHeads() {
        return call(SUBSCRIBE, "[\"newHeads\"]");
    }

    /**
     * Returns the call that subscribes to pending transactions.
     *
     * @param whole whether to whole transactions, or only to their hashes
     */
    public static RpcCall subscribeToPending(boolean whole) {
        return call(SUBSCRIBE, whole ? "[\"newPendingTransactions\",true]" : "[\"newPendingTransactions\"]");
    }

    /** Returns the call that creates a filter of the hashes of pending transactions. */
    public static RpcCall newPendingFilter() {
        return call(NEW_PENDING_FILTER, "[]");
    }

    /**
     * Returns the call for what is new in a filter.
     *
     * @param id the node's id of the filter, as it stands in JSON
     */
    public static RpcCall filterChanges(RawJson id) {
        return call(FILTER_CHANGES, "[" + id + ']');
    }

    /**
     * Returns the call for a block.
     *
     * @param full whether with its transactions, or only with their hashes
     */
    public static RpcCall blockByHash(String hash, boolean full) {
        return call(BLOCK_BY_HASH, "[\"" + hash + "\"," + full + ']');
    }

    /** Returns the call for the block at a height, with the hashes of its transactions. */
    public static RpcCall blockByNumber(long number) {
        return blockByQuantity("0x" + Long.toHexString(number), false);
    }

    /**
     * Returns the call for the block at a height.
     *
     * @param number as a quantity in hex
     * @param full whether with its transactions, or only with their hashes
     */
    public static RpcCall blockByQuantity(String number, boolean full) {
        return call(BLOCK_BY_NUMBER, "[\"" + number + "\"," + full + ']');
    }

    /** Returns the call for the block under a tag, with the hashes of its transactions. */
    public static RpcCall blockByTag(BlockTag tag) {
        return call(BLOCK_BY_NUMBER, "[" + tag.json() + ",false]");
    }

    /**
     * Returns the call for the block of another call, with its transactions.
     *
     * @param selector the block
     * @param named the block's number or tag in the other call's parameters; read only if the selector is no hash
     */
    public static RpcCall wholeBlock(BlockSelector selector, RawJson named) {
        return selector instanceof BlockSelector.Hash exact
                ? blockByHash(exact.hash(), true)
                : call(BLOCK_BY_NUMBER, "[" + named + ",true]");
    }

    /**
     * Returns the call for an account and slots of its storage with their proof.
     *
     * @param address as it stands in JSON, as are the others
     */
    public static RpcCall proof(RawJson address, RawJson slots, RawJson block) {
        return call(PROOF, "[" + address + "," + slots + "," + block + "]");
    }

    /**
     * Returns the call for all receipts of a block.
     *
     * @param block a hash, or a quantity in hex
     */
    public static RpcCall receipts(String block) {
        return call(BLOCK_RECEIPTS, "[\"" + block + "\"]");
    }

    /**
     * Returns the call for logs of a block.
     *
     * @param addresses whose logs are wanted, each as it stands in JSON; none for all
     */
    public static RpcCall logs(String blockHash, List<RawJson> addresses) {
        String filter = "\"blockHash\":\"" + blockHash + '"';
        if (!addresses.isEmpty()) {
            filter += addresses.stream().map(RawJson::toString).collect(Collectors.joining(",", ",\"address\":[", "]"));
        }
        return call(LOGS, "[{" + filter + "}]");
    }

    public static RpcCall uncle(String blockHash, int index) {
        return call(UNCLE, "[\"" + blockHash + "\",\"0x" + Integer.toHexString(index) + "\"]");
    }

    public static RpcCall transaction(String hash) {
        return call(TRANSACTION, "[\"" + hash + "\"]");
    }

    public static RpcCall receipt(String hash) {
        return call(RECEIPT, "[\"" + hash + "\"]");
    }

    /** Returns the call for the number of an account's transactions in blocks. */
    public static RpcCall minedCount(String account) {
        return call(TRANSACTION_COUNT, "[\"" + account + "\",\"latest\"]");
    }

    /**
     * Returns the call that removes a filter.
     *
     * @param id the node's id of the filter, as it stands in JSON
     */
    public static RpcCall uninstallFilter(RawJson id) {
        return call(UNINSTALL_FILTER, "[" + id + ']');
    }

    private static RpcCall call(String method, String params) {
        return new RpcCall(RawJson.NULL, method, RawJson.of(params));
    }
}
