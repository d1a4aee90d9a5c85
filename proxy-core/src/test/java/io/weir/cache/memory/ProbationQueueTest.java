package io.weir.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.ResultLayout;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProbationQueueTest {

    private static final long MAX_BYTES = 1 << 20;

    private final Others others = new Others();
    private final ProbationQueue newcomers = new ProbationQueue(MAX_BYTES, others, Runnable::run);

    private static CallKey key(String network, int number) {
        return new CallKey(network, "eth_call", RawJson.of("[" + number + "]"));
    }

    private static CallKey key(int number) {
        return key("net", number);
    }

    private static CachedResult result(int number, int bytes) {
        RawJson value = RawJson.of('"' + Integer.toString(number) + " ".repeat(bytes) + '"');
        return new CachedResult(value, ResultKind.VALUE, "", new BlockRef(number, null, CachedResult.ANY_STAMP), true);
    }

    private static int numberOf(CachedResult result) {
        return Integer.parseInt(result.value().toString().replace("\"", "").trim());
    }

    private CachedResult take(CallKey key) {
        return newcomers.take(key, result -> {});
    }

    @Test
    void aResultComesBackAsItWas() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            String hash = random.nextInt(3) == 0 ? null : "0x" + Long.toHexString(random.nextLong()) + "é";
            ResultKind kind = ResultKind.values()[random.nextInt(ResultKind.values().length)];
            CachedResult put = new CachedResult(
                            RawJson.of("[" + random.nextLong() + "]"),
                            kind,
                            random.nextBoolean() ? "header" : "",
                            new BlockRef(random.nextLong(), hash, random.nextLong()),
                            random.nextBoolean())
                    .with(random.nextBoolean(), null);
            assertThat(newcomers.offer(key(i), put)).as("seed %d", seed).isTrue();
            assertThat(take(key(i)))
                    .as("seed %d, result %d", seed, i)
                    .usingRecursiveComparison()
                    .isEqualTo(put);
        }
    }

    @Test
    void whatIsGivenOutIsNotWhereItIsKept() {
        newcomers.offer(key(1), result(1, 10));
        CachedResult given = take(key(1));
        for (int i = 2; i < 100_000; i++) {
            newcomers.offer(key(i), result(i, 10));
        }
        assertThat(take(key(1))).isNull();
        assertThat(numberOf(given)).isEqualTo(1);
    }

    @Test
    void largeResultsAndThoseWithPartsAreNone() {
        assertThat(newcomers.offer(key(1), result(1, 10_000))).isFalse();
        ResultLayout layout = () -> 10;
        assertThat(newcomers.offer(key(1), result(1, 10).with(true, layout))).isFalse();
        assertThat(take(key(1))).isNull();
    }

    @Test
    void theOldestGoFirstAndAreNoNewcomersWhenTheyComeAgain() {
        int all = 100_000;
        for (int i = 0; i < all; i++) {
            newcomers.offer(key(i), result(i, 10));
            assertThat(newcomers.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        long there = newcomers.entries();
        assertThat(there).isBetween(5_000L, 20_000L);
        // A key whose print is that of a dropped one is no newcomer: of so many there are hardly any.
        assertThat(newcomers.dropped()).isBetween(all - there - 10, all - there);
        int oldest = (int) (all - there);
        assertThat(IntStream.range(oldest, all)
                        .filter(i -> take(key(i)) != null)
                        .count())
                .isGreaterThan(there - 5);
        long known = IntStream.range(oldest - 1_000, oldest)
                .filter(i -> !newcomers.offer(key(i), result(i, 10)))
                .count();
        assertThat(known).isGreaterThan(600);
        assertThat(newcomers.offer(key(-1), result(-1, 10))).isTrue();
    }

    /** As many bytes as is said, or as they may have. */
    private static final class Others implements ProbationQueue.Others {

        private long bytes;
        private long limit = MAX_BYTES;

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void limit(long most) {
            limit = most;
            bytes = Math.min(bytes, most);
        }
    }

    @Test
    void eitherGivesWayDownToItsPart() {
        for (int i = 0; i < 100_000; i++) {
            newcomers.offer(key(i), result(i, 10));
        }
        long before = newcomers.bytes();
        assertThat(before).isGreaterThan(MAX_BYTES * 8 / 10);
        others.bytes = MAX_BYTES / 4;
        newcomers.balance();
        assertThat(newcomers.bytes()).isBetween(MAX_BYTES / 3, MAX_BYTES * 3 / 4);
        others.bytes = MAX_BYTES;
        newcomers.balance();
        assertThat(newcomers.bytes()).isBetween(MAX_BYTES / 8, MAX_BYTES / 3);
        assertThat(others.bytes + newcomers.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        for (int i = 0; i < 100_000; i++) {
            newcomers.offer(key(-i), result(i, 10));
            assertThat(others.bytes + newcomers.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        newcomers.removeIf("net", result -> true);
        newcomers.balance();
        assertThat(others.limit).as("what is given back, the others may have").isEqualTo(MAX_BYTES);
    }

    @Test
    void whatANetworkLosesTheOthersKeep() {
        for (int i = 0; i < 1_000; i++) {
            newcomers.offer(key("a", i), result(i, 10));
            newcomers.offer(key("b", i), result(i, 10));
        }
        assertThat(newcomers.removeIf("a", result -> result.block().number() < 500))
                .isEqualTo(500);
        assertThat(take(key("a", 499))).isNull();
        assertThat(take(key("a", 500))).isNotNull();
        assertThat(take(key("b", 499))).isNotNull();
        newcomers.removeIf("a", result -> true);
        newcomers.removeIf("b", result -> true);
        assertThat(newcomers.entries()).isZero();
        assertThat(newcomers.bytes()).as("what they took is given back").isZero();
    }

    @Test
    void whatIsTakenIsGoneOnceWhoeverTookItHasIt() throws Exception {
        newcomers.offer(key(1), result(1, 10));
        AtomicLong removed = new AtomicLong(-1);
        Thread purge = new Thread(() -> removed.set(newcomers.removeIf("net", result -> true)));
        newcomers.take(key(1), result -> {
            purge.start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (purge.getState() != Thread.State.BLOCKED && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(purge.getState()).isEqualTo(Thread.State.BLOCKED);
        });
        purge.join();
        assertThat(removed).hasValue(0);
        assertThat(newcomers.has(key(1))).isFalse();
    }

    @Test
    void keysOfOnePrintAreToldApart() {
        Map<Integer, CallKey> prints = new HashMap<>();
        int number = 0;
        CallKey first = null;
        while (first == null) {
            first = prints.put(key(number).hashCode(), key(number));
            number++;
        }
        CallKey second = key(number - 1);
        newcomers.offer(first, result(1, 0));
        assertThat(take(second)).isNull();
        newcomers.offer(second, result(2, 0));
        assertThat(take(first)).isNull();
        assertThat(numberOf(take(second))).isEqualTo(2);
    }

    /** Prints of one queue have some bits in common: of 64, six. */
    @Test
    void mostOfWhatLeftAQueueIsRemembered() {
        int slots = 1 << 13;
        GhostQueue ghosts = new GhostQueue(slots);
        int[] prints = new Random(1)
                .ints()
                .filter(print -> (((print * 0x9E3779B9) >>> 16) & 63) == 5)
                .limit(slots)
                .toArray();
        IntStream.of(prints).forEach(ghosts::add);
        // Where each falls anywhere, 1 - 1/e of the slots are taken.
        assertThat(IntStream.of(prints).filter(ghosts::take).count()).isGreaterThan(slots / 2);
        assertThat(IntStream.of(prints).filter(ghosts::take).count()).isZero();
    }

    @Test
    void threadsGetNothingButWhatWasPutUnderTheirKey() throws Exception {
        ProbationQueue shared = new ProbationQueue(16 << 20, others, Runnable::run);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            var all = IntStream.range(0, 3)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> {
                        Random random = new Random(thread);
                        for (int i = 0; i < 200_000; i++) {
                            int number = random.nextInt(50_000);
                            CachedResult result = shared.take(key(number), taken -> {});
                            if (result != null) {
                                assertThat(numberOf(result)).isEqualTo(number);
                            } else {
                                shared.offer(key(number), result(number, random.nextInt(400)));
                            }
                            if (i % 50_000 == 0) {
                                shared.removeIf("net", r -> r.block().number() % 2 == 0);
                            }
                        }
                    }))
                    .toList();
            for (Future<?> thread : all) {
                thread.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(shared.bytes()).isLessThanOrEqualTo(16 << 20);
        shared.removeIf("net", result -> true);
        assertThat(shared.entries()).isZero();
    }
}
