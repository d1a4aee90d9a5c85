package io.weir.app.reorg;

import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import java.time.Duration;
import java.util.Random;

/** Changes a chain and records the part that the proxy has seen: its newest block reached the clients. Thread-safe. */
final class ChainEvents {

    private static final int MAX_DEPTH = 64;

    private final TestChain chain;
    private final JsonRpcClient client;
    private final Random random;
    private volatile ChainState seen;
    private volatile boolean ended;
    private int deepest;

    ChainEvents(TestChain chain, JsonRpcClient client, Random random) {
        this.chain = chain;
        this.client = client;
        this.random = random;
        this.seen = chain.state();
    }

    TestChain chain() {
        return chain;
    }

    /** The newest state that the proxy is known to have seen. */
    ChainState seen() {
        return seen;
    }

    boolean ended() {
        return ended;
    }

    void end() {
        ended = true;
    }

    int deepest() {
        return deepest;
    }

    /**
     * Makes a new block, a fork, or more finality. Waits until clients have seen it.
     *
     * @param deep whether it is a fork, and a deep one
     */
    void change(boolean deep) {
        int kind = deep ? 3 : random.nextInt(8);
        if (kind < 2) {
            chain.mine(1);
        } else if (kind == 2) {
            chain.finalize(chain.head() - MAX_DEPTH - 5);
        } else {
            int most = (int) Math.min(MAX_DEPTH, chain.head() - chain.state().finalized());
            int depth = deep ? most - random.nextInt(most - 16) : 1 + random.nextInt(random.nextBoolean() ? 4 : most);
            deepest = Math.max(deepest, depth);
            chain.fork(depth, random.nextInt(3));
        }
        ChainState now = chain.state();
        TestBlock newest = now.at(now.head());
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(60))
                .until(() -> client.result("eth_getBlockByNumber", "latest", true)
                        .path("hash")
                        .asString("")
                        .equals(newest.hash()));
        seen = now;
    }
}
