package io.weir.app.subscription;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;

/** The proxy before nodes of one test chain, of which it soon sees new blocks. */
final class Testnet {

    private Testnet() {}

    /** The network without nodes. */
    static ConfigurationText text() {
        return ConfigurationText.of("testnet", Long.toString(SignedTransactions.CHAIN_ID));
    }

    /** The network with the lists of logs that nodes give, not put together from receipts. */
    static ConfigurationText listedByNodes() {
        return text().networkSetting("gather.enabled = false");
    }

    static LocalProxy weir(ConfigurationText text, ChainServer... nodes) {
        for (int i = 0; i < nodes.length; i++) {
            text.upstream("node" + i, nodes[i].url());
        }
        return LocalProxy.start(text.networkSetting("head.max-age = 100 ms").text());
    }
}
