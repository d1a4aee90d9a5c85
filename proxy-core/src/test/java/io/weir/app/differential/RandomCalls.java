package io.weir.app.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Random valid calls about a chain, each for the node and for the proxy. Confined to one thread. */
final class RandomCalls {

    private final RandomGenerator random;
    private final List<Supplier<Call>> kinds = new ArrayList<>();

    /** A call; both forms of its parameters are JSON arrays. */
    record Call(String method, Spelled params) {}

    RandomCalls(RandomGenerator random, ChainHistory chain) {
        this.random = random;
        RandomValues some = new RandomValues(random, chain);
        ofTheService(some);
        lookups(some);
        state(some);
        withoutParameters();
    }

    /** Any of them. */
    Call next() {
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private void ofTheService(RandomValues some) {
        add("eth_getStorageAt", 3, () -> perhapsLatest(some.address(), some.position(), some.stateBlock()));
        add("eth_getBlockByHash", 2, () -> Spelled.array(some.blockHash(), some.flag()));
        add("eth_getUncleByBlockNumberAndIndex", 1, () -> Spelled.array(some.numberOrTag(), some.index()));
        add("eth_getTransactionByBlockNumberAndIndex", 2, () -> Spelled.array(some.madeBlock(), some.index()));
        add("eth_getTransactionByBlockHashAndIndex", 2, () -> Spelled.array(some.blockHash(), some.index()));
        add("eth_getTransactionByHash", 2, () -> Spelled.array(some.transactionHash()));
        add("eth_getTransactionReceipt", 2, () -> Spelled.array(some.transactionHash()));
        add("eth_getBlockReceipts", 3, () -> Spelled.array(some.receiptsBlock()));
        add("eth_estimateGas", 4, () -> perhapsLatest(some.call(), some.stateBlock()));
        add("l2net_addDeployAccountTransaction", 1, () -> Spelled.same("{\"deploy_account_transaction\":{}}"));
    }

    private void lookups(RandomValues some) {
        add("eth_getBlockByNumber", 2, () -> Spelled.array(some.madeBlock(), some.flag()));
        add("eth_getBlockTransactionCountByHash", 1, () -> Spelled.array(some.blockHash()));
        add("eth_getBlockTransactionCountByNumber", 1, () -> Spelled.array(some.numberOrTag()));
        add("eth_getUncleByBlockHashAndIndex", 1, () -> Spelled.array(some.blockHash(), some.index()));
        add("eth_getUncleCountByBlockHash", 1, () -> Spelled.array(some.blockHash()));
        add("eth_getUncleCountByBlockNumber", 1, () -> Spelled.array(some.numberOrTag()));
        add("eth_getRawTransactionByHash", 1, () -> Spelled.array(some.transactionHash()));
        add("eth_getRawTransactionByBlockHashAndIndex", 1, () -> Spelled.array(some.blockHash(), some.index()));
        add("eth_getRawTransactionByBlockNumberAndIndex", 1, () -> Spelled.array(some.madeBlock(), some.index()));
        add("eth_getTransactionBySenderAndNonce", 1, () -> Spelled.array(some.address(), some.index()));
        add("eth_getHeaderByHash", 1, () -> Spelled.array(some.blockHash()));
        add("eth_getHeaderByNumber", 1, () -> Spelled.array(some.madeBlock()));
        add("eth_getLogs", 3, () -> Spelled.array(some.logFilter()));
        add("eth_feeHistory", 1, () -> Spelled.array(some.small(5), some.madeBlock(), Spelled.same("[1,50.5]")));
    }

    private void state(RandomValues some) {
        add("eth_call", 4, () -> perhapsLatest(some.call(), some.stateBlock()));
        add("eth_call", 1, () -> Spelled.array(some.call(), some.stateBlock(), some.stateOverrides()));
        add("eth_createAccessList", 1, () -> perhapsLatest(some.call(), some.stateBlock()));
        add("eth_getBalance", 2, () -> perhapsLatest(some.address(), some.stateBlock()));
        add("eth_getCode", 1, () -> perhapsLatest(some.address(), some.stateBlock()));
        add("eth_getTransactionCount", 1, () -> perhapsLatest(some.address(), some.stateBlock()));
        add("eth_getProof", 1, () -> perhapsLatest(some.address(), Spelled.array(some.word()), some.stateBlock()));
    }

    private void withoutParameters() {
        for (String method : new String[] {
            "eth_blobBaseFee",
            "eth_blockNumber",
            "eth_chainId",
            "eth_gasPrice",
            "eth_maxPriorityFeePerGas",
            "eth_syncing",
            "net_listening",
            "net_version",
            "web3_clientVersion"
        }) {
            kinds.add(() -> new Call(method, Spelled.same(random.nextBoolean() ? "[]" : "null")));
        }
        kinds.add(() -> new Call("web3_sha3", Spelled.array(Spelled.hex(random, "0xa1b2"))));
        kinds.add(() -> new Call("eth_nope", Spelled.same("[{\"x\":[]}]")));
        kinds.add(() -> new Call("trace_block", Spelled.same("[\"0x3\"]")));
    }

    private void add(String method, int share, Supplier<Spelled> params) {
        for (int i = 0; i < share; i++) {
            kinds.add(() -> new Call(method, params.get()));
        }
    }

    /** Trailing parameters may be omitted if they are the default. */
    private Spelled perhapsLatest(Spelled... params) {
        Spelled all = Spelled.array(params);
        boolean latest = params[params.length - 1].normal().equals("\"latest\"");
        if (!latest || random.nextBoolean()) {
            return all;
        }
        return new Spelled(
                all.normal(),
                Spelled.array(Arrays.copyOf(params, params.length - 1)).odd());
    }
}
