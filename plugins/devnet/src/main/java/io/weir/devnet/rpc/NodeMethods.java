package io.weir.devnet.rpc;

import io.weir.devnet.chain.Chain;
import io.weir.ethereum.Quantity;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.StringNode;

/** The methods by which the node describes itself. Thread-safe. */
final class NodeMethods {
    private static final String CLIENT_VERSION = "Weir-devnet/v0.1.0/no-EVM/for-trying-and-testing";

    private final Chain chain;

    NodeMethods(Chain chain) {
        this.chain = chain;
    }

    void addTo(MethodSink table) {
        table.add("web3_clientVersion", 0, 0, none -> StringNode.valueOf(CLIENT_VERSION));
        table.add("net_version", 0, 0, none -> StringNode.valueOf(Long.toString(Chain.ID)));
        table.add("net_listening", 0, 0, none -> BooleanNode.TRUE);
        table.add("eth_chainId", 0, 0, none -> StringNode.valueOf(Quantity.encode(Chain.ID)));
        table.add("eth_syncing", 0, 0, none -> BooleanNode.FALSE);
        table.add(
                "eth_blockNumber",
                0,
                0,
                none -> StringNode.valueOf(Quantity.encode(chain.head().number())));
    }
}
