package io.weir.upstream.pool;

import io.weir.chain.HeadTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two nodes that announce heads, in simulated time. Blocks come every twelve seconds unless a test says otherwise. */
abstract class AnnouncingNodes {

    static final long BLOCK_MILLIS = 12_000;
    static final int STEP_MILLIS = 100;

    final PoolBench bench = new PoolBench();
    final FakeNode a = bench.node("a", 0, 1);
    final FakeNode b = bench.node("b", 0, 1);
    final List<Long> heads = new ArrayList<>();
    boolean silent;

    /** Begins with nodes that announce, and lets blocks show their rhythm while calls come. */
    void begin() {
        b.hasSocket = true;
        beginWithOne();
    }

    /** Begins with one node that announces. */
    void beginWithOne() {
        a.hasSocket = true;
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        blocks(6);
        a.probed.clear();
        b.probed.clear();
    }

    /** Lets blocks come, each after its time, while calls come. */
    void blocks(int count) {
        for (int i = 0; i < count; i++) {
            calls(BLOCK_MILLIS);
            block();
        }
    }

    void block() {
        for (FakeNode node : bench.nodes.values()) {
            node.head++;
            if (node != a || !silent) {
                node.announce();
            }
        }
        bench.settle();
    }

    /** Lets time pass while calls come. */
    void calls(long millis) {
        for (long passed = 0; passed < millis; passed += STEP_MILLIS) {
            ask();
            bench.pass(STEP_MILLIS);
        }
    }

    long ask() {
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + TimeUnit.SECONDS.toNanos(60), heads::add);
        bench.settle();
        return heads.get(heads.size() - 1);
    }

    HeadTracker tracker() {
        return bench.pool.head().tracker();
    }

    long open() {
        return bench.nodes.values().stream()
                .flatMap(node -> node.subscriptions.stream())
                .filter(one -> !one.closed)
                .count();
    }
}
