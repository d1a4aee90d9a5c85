package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Starts beside a node that is not at the head of the chain, and does not say so. */
final class StartIT {

    private static final int BLOCKS = 300;

    private static final long WATCH_MILLIS = 3_000;

    /** Between two calls, so that the nodes and the proxies of other tests get the processors. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Clock that notes for how long the machine stood still. */
    private static final class Stalls implements AutoCloseable {

        private static final long TICK_MILLIS = 5;

        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        private final AtomicLong longest = new AtomicLong();
        private long last = System.nanoTime();

        Stalls() {
            clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void tick() {
            long now = System.nanoTime();
            longest.accumulateAndGet(now - last, Math::max);
            last = now;
        }

        long longestNanos() {
            return longest.get();
        }

        @Override
        public void close() {
            clock.shutdownNow();
        }
    }

    /** A node that is not at the head of the chain. */
    private enum Start {
        ZERO,
        BEHIND,
        STUCK,
        RESYNCING,
        OTHER_CHAIN,
        HANGING
    }

    private static TestChain chain(long seed, long blockMillis) {
        long first = System.currentTimeMillis() - BLOCKS * blockMillis;
        TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS, first / 1_000, blockMillis);
        chain.mine(BLOCKS);
        return chain;
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 0",
        "2, 1, 100",
        "2, 1, 270",
        "2, 12, 0",
        "3, 1, 0",
        "3, 2, 100",
        "5, 1, 0",
    })
    void noAnswerIsFromTheHeadOfANodeThatIsBehind(int nodes, long blockSeconds, int behindAt) {
        TestChain chain = chain(behindAt + blockSeconds, blockSeconds * 1_000);
        ChainState early = chain.state().upTo(behindAt);
        List<ChainServer> servers = new ArrayList<>();
        servers.add(new ChainServer(chain).see(state -> early));
        for (int i = 1; i < nodes; i++) {
            servers.add(new ChainServer(chain));
        }
        try (NodePool pool = new NodePool(servers)) {
            for (int i = 0; i < 50; i++) {
                assertThat(pool.result("eth_blockNumber").asString()).isEqualTo("0x" + Long.toHexString(BLOCKS));
                assertThat(pool.result("eth_getBlockByNumber", "latest", false)
                                .path("number")
                                .asString())
                        .isEqualTo("0x" + Long.toHexString(BLOCKS));
            }
        }
    }

    private static ChainServer node(Start start, TestChain chain, CountDownLatch end) {
        ChainState now = chain.state();
        long beganNanos = System.nanoTime();
        return switch (start) {
            case ZERO -> new ChainServer(chain).see(state -> now.upTo(0));
            case BEHIND -> new ChainServer(chain).see(state -> now.upTo(BLOCKS - 30));
            case STUCK -> new ChainServer(chain).see(state -> now);
            case RESYNCING ->
                new ChainServer(chain).see(state -> {
                    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
                    return state.upTo(Math.min(state.head(), millis / 10));
                });
            case OTHER_CHAIN ->
                new ChainServer(
                        chain(99, 500),
                        (method, params, truth) ->
                                method.equals("eth_chainId") ? ChainAnswer.result("\"0x5\"") : truth);
            case HANGING -> new ChainServer(chain, hanging("", end));
        };
    }

    private static ChainServer.Lie hanging(String methods, CountDownLatch end) {
        return (method, params, truth) -> {
            if (method.startsWith(methods)) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return truth;
        };
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, ZERO, 500",
        "2, 1, BEHIND, 500",
        "2, 1, STUCK, 500",
        "2, 1, RESYNCING, 500",
        "2, 1, OTHER_CHAIN, 500",
        "2, 1, HANGING, 500",
        "3, 2, HANGING, 2000",
        "5, 2, STUCK, 500",
        "5, 2, RESYNCING, 2000",
        "5, 3, HANGING, 500",
    })
    void theHeadOfTheOthersIsFollowedFromTheStart(int nodes, int odd, Start start, long blockMillis) {
        TestChain chain = chain(nodes + blockMillis, blockMillis);
        CountDownLatch end = new CountDownLatch(1);
        List<ChainServer> servers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            servers.add(i < odd ? node(start, chain, end) : new ChainServer(chain));
        }
        NavigableMap<Long, Long> heads = new ConcurrentSkipListMap<>(Map.of(System.nanoTime(), chain.head()));
        ScheduledExecutorService miner = Executors.newSingleThreadScheduledExecutor();
        miner.scheduleAtFixedRate(
                () -> {
                    chain.mine(1);
                    heads.put(System.nanoTime(), chain.head());
                },
                blockMillis,
                blockMillis,
                TimeUnit.MILLISECONDS);
        try (Stalls stalls = new Stalls();
                NodePool pool = new NodePool(servers)) {
            long began = System.nanoTime();
            while (System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(WATCH_MILLIS)) {
                await().pollDelay(PAUSE).until(() -> true);
                long asked = System.nanoTime();
                long before = heads.floorEntry(asked).getValue();
                JsonNode block =
                        pool.answer("eth_getBlockByNumber", "latest", false).path("result");
                JsonNode head = pool.answer("eth_blockNumber").path("result");
                long late = SECOND + stalls.longestNanos();
                // The first probes alone may take a second on a busy machine.
                if (asked - began < 2 * late) {
                    continue;
                }
                Map.Entry<Long, Long> early = heads.floorEntry(asked - late);
                long least = Math.min(before - 1, early == null ? BLOCKS : early.getValue());
                for (JsonNode one : List.of(block.path("number"), head)) {
                    assertThat(Long.decode(one.asString())).isBetween(least, chain.head());
                }
                TestBlock right =
                        chain.state().at(Long.decode(block.path("number").asString()));
                assertThat(block.path("hash").asString()).isEqualTo(right.hash());
            }
        } finally {
            end.countDown();
            miner.shutdownNow();
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 0", "2, 1, 100", "2, 1, -10", "5, 3, 100", "5, 4, 100", "5, 4, -10"})
    void nodesThatNameHeadsAndDoNotShowThemDelayNoCallFor(int nodes, int hanging, long ahead) {
        TestChain chain = chain(nodes, 12_000);
        CountDownLatch end = new CountDownLatch(1);
        List<ChainServer> servers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            long claim = BLOCKS + ahead * (i + 1);
            ChainServer.Lie hangs = hanging("eth_getBlockBy", end);
            ChainServer.Lie lie = (method, params, truth) -> method.equals("eth_blockNumber")
                    ? ChainAnswer.result("\"0x" + Long.toHexString(claim) + '"')
                    : hangs.to(method, params, truth);
            servers.add(i < hanging ? new ChainServer(chain, lie) : new ChainServer(chain));
        }
        try (Stalls stalls = new Stalls();
                NodePool pool = new NodePool(servers)) {
            String head = "0x" + Long.toHexString(BLOCKS);
            for (int i = 0; i < 5; i++) {
                long began = System.nanoTime();
                assertThat(pool.answer("eth_blockNumber").path("result").asString(""))
                        .isEqualTo(head);
                long numbered = System.nanoTime();
                assertThat(pool.answer("eth_getBlockByNumber", "latest", false)
                                .path("result")
                                .path("number")
                                .asString(""))
                        .isEqualTo(head);
                long shown = System.nanoTime();
                long most = 2 * SECOND + stalls.longestNanos();
                assertThat(List.of(numbered - began, shown - numbered)).allMatch(nanos -> nanos < most);
            }
        } finally {
            end.countDown();
        }
    }

    @ParameterizedTest
    @CsvSource({"2", "3"})
    void aNodeThatBeginsAnewDoesNotTakeTheHeadWithIt(int nodes) {
        TestChain chain = chain(nodes, 1_000);
        ChainState genesis = chain.state().upTo(0);
        List<ChainServer> servers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            servers.add(new ChainServer(chain));
        }
        try (NodePool pool = new NodePool(servers)) {
            await().until(() -> pool.result("eth_blockNumber").asString().equals("0x" + Long.toHexString(BLOCKS)));
            servers.get(0).see(state -> genesis);
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < end) {
                JsonNode latest = pool.result("eth_getBlockByNumber", "latest", false);
                assertThat(latest.path("number").asString()).isEqualTo("0x" + Long.toHexString(BLOCKS));
            }
        }
    }
}
