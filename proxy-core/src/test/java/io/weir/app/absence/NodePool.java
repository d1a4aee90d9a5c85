package io.weir.app.absence;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A proxy in front of scripted nodes of one chain, with the default settings but for some lines. Thread-safe. */
final class NodePool implements AutoCloseable {

    private final List<ChainServer> nodes;
    private final LocalProxy weir;
    private final JsonRpcClient client;

    /** @param settings lines of the network */
    NodePool(List<ChainServer> nodes, String... settings) {
        this.nodes = List.copyOf(nodes);
        ConfigurationText text = ConfigurationText.of("net", Long.toString(SignedTransactions.CHAIN_ID));
        for (int i = 0; i < nodes.size(); i++) {
            text.upstream("node" + i, nodes.get(i).url());
        }
        for (String setting : settings) {
            text.networkSetting(setting);
        }
        this.weir = LocalProxy.start(text.text());
        this.client = new JsonRpcClient(weir.url());
    }

    LocalProxy weir() {
        return weir;
    }

    /** Has all nodes tell a lie from now on. */
    void lie(ChainServer.Lie lie) {
        nodes.forEach(node -> node.lie(lie));
    }

    /** Returns the result of a call; fails on an error. */
    JsonNode result(String method, Object... params) {
        return client.result(method, params);
    }

    /** Returns the answer to a call, with its result or error. */
    JsonNode answer(String method, Object... params) {
        return client.answer(method, params);
    }

    @Override
    public void close() {
        weir.close();
        nodes.forEach(ChainServer::close);
    }
}
