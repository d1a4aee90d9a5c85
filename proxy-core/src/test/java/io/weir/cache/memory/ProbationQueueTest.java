package io.weir.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ResultLayout;
import io.weir.cache.memory.ProbationQueue.GhostQueue;
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

    private final AtomicLong othersBytes = new AtomicLong();
    private final AtomicLong othersLimit = new AtomicLong(MAX_BYTES);
    private final ProbationQueue probation =
            new ProbationQueue(MAX_BYTES, othersBytes, this::limitOthers, Runnable::run);

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
        return probation.take(key, (taken, result) -> {});
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
            assertThat(probation.offer(key(i), put)).as("seed %d", seed).isTrue();
            assertThat(take(key(i)))
                    .as("seed %d, result %d", seed, i)
                    .usingRecursiveComparison()
                    .isEqualTo(put);
        }
    }

    @Test
    void aReturnedResultHasArraysOfItsOwn() {
        probation.offer(key(1), result(1, 10));
        CachedResult given = take(key(1));
        for (int i = 2; i < 100_000; i++) {
            probation.offer(key(i), result(i, 10));
        }
        assertThat(take(key(1))).isNull();
        assertThat(numberOf(given)).isEqualTo(1);
    }

    @Test
    void largeResultsAndThoseWithPartsAreNone() {
        assertThat(probation.offer(key(1), result(1, 10_000))).isFalse();
        ResultLayout layout = ReceiptsLayout.read(RawJson.EMPTY_ARRAY);
        assertThat(probation.offer(key(1), result(1, 10).with(true, layout))).isFalse();
        assertThat(take(key(1))).isNull();
    }

    @Test
    void theOldestAreEvictedFirstAndSkipProbationWhenTheyReturn() {
        int all = 100_000;
        for (int i = 0; i < all; i++) {
            probation.offer(key(i), result(i, 10));
            assertThat(probation.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        long there = probation.entries();
        assertThat(there).isBetween(5_000L, 20_000L);
        // A key with the fingerprint of an evicted one skips probation. With this many keys that is rare.
        assertThat(probation.evicted()).isBetween(all - there - 10, all - there);
        int oldest = (int) (all - there);
        assertThat(IntStream.range(oldest, all)
                        .filter(i -> take(key(i)) != null)
                        .count())
                .isGreaterThan(there - 5);
        long known = IntStream.range(oldest - 1_000, oldest)
                .filter(i -> !probation.offer(key(i), result(i, 10)))
                .count();
        assertThat(known).isGreaterThan(600);
        assertThat(probation.offer(key(-1), result(-1, 10))).isTrue();
    }

    private void limitOthers(long most) {
        othersLimit.set(most);
        othersBytes.accumulateAndGet(most, Math::min);
    }

    @Test
    void eitherSideShrinksToItsPart() {
        for (int i = 0; i < 100_000; i++) {
            probation.offer(key(i), result(i, 10));
        }
        long before = probation.bytes();
        assertThat(before).isGreaterThan(MAX_BYTES * 8 / 10);
        othersBytes.set(MAX_BYTES / 4);
        probation.balance();
        assertThat(probation.bytes()).isBetween(MAX_BYTES / 3, MAX_BYTES * 3 / 4);
        othersBytes.set(MAX_BYTES);
        probation.balance();
        assertThat(probation.bytes()).isBetween(MAX_BYTES / 8, MAX_BYTES / 3);
        assertThat(othersBytes.get() + probation.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        for (int i = 0; i < 100_000; i++) {
            probation.offer(key(-i), result(i, 10));
            assertThat(othersBytes.get() + probation.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        }
        probation.removeIf("net", result -> true);
        probation.balance();
        assertThat(othersLimit.get())
                .as("what is given back, the others may have")
                .isEqualTo(MAX_BYTES);
    }

    @Test
    void memoryIsTakenOnlyAsFarAsEvictedResultsComeBack() {
        long max = 4 * ProbationQueue.BEGINNING_BYTES;
        ProbationQueue large = new ProbationQueue(max, othersBytes, limit -> {}, Runnable::run);
        int next = 0;
        while (large.evicted() < 100_000) {
            large.offer(key(next), result(next, 100));
            next++;
        }
        // An index that grows is counted after the chunk that made it grow.
        assertThat(large.bytes()).isBetween(ProbationQueue.BEGINNING_BYTES / 2, ProbationQueue.BEGINNING_BYTES * 9 / 8);
        for (int i = 0; i < 50_000; i++) {
            large.offer(key(i), result(i, 100));
        }
        int end = next + 1_000_000;
        for (int i = next; i < end; i++) {
            large.offer(key(i), result(i, 100));
        }
        assertThat(large.bytes()).isBetween(max * 7 / 8, max);
    }

    @Test
    void theBeginningOfALargeMemoryIsWhatItsQueuesNeedAtLeast() {
        ProbationQueue large = new ProbationQueue(1L << 30, othersBytes, limit -> {}, Runnable::run);
        for (int i = 0; large.evicted() < 10_000; i++) {
            large.offer(key(i), result(i, 100));
        }
        assertThat(large.has(0)).as("nothing is left to free").isTrue();
        assertThat(large.bytes()).isLessThan(1L << 30 >> 3);
    }

    @Test
    void removingOneNetworksResultsKeepsTheOthers() {
        for (int i = 0; i < 1_000; i++) {
            probation.offer(key("a", i), result(i, 10));
            probation.offer(key("b", i), result(i, 10));
        }
        assertThat(probation.removeIf("a", result -> result.block().number() < 500))
                .isEqualTo(500);
        assertThat(take(key("a", 499))).isNull();
        assertThat(take(key("a", 500))).isNotNull();
        assertThat(take(key("b", 499))).isNotNull();
        probation.removeIf("a", result -> true);
        probation.removeIf("b", result -> true);
        assertThat(probation.entries()).isZero();
        assertThat(probation.bytes()).as("what they took is given back").isZero();
    }

    @Test
    void aTakenResultIsGoneOnceItsTakerHasIt() throws Exception {
        probation.offer(key(1), result(1, 10));
        AtomicLong removed = new AtomicLong(-1);
        Thread purge = new Thread(() -> removed.set(probation.removeIf("net", result -> true)));
        probation.take(key(1), (key, result) -> {
            purge.start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (purge.getState() != Thread.State.BLOCKED && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(purge.getState()).isEqualTo(Thread.State.BLOCKED);
        });
        purge.join();
        assertThat(removed).hasValue(0);
        assertThat(probation.take(key(1), (taken, result) -> {})).isNull();
    }

    @Test
    void keysWithOneFingerprintAreDistinguished() {
        Map<Integer, CallKey> prints = new HashMap<>();
        int number = 0;
        CallKey first = null;
        while (first == null) {
            first = prints.put(key(number).hashCode(), key(number));
            number++;
        }
        CallKey second = key(number - 1);
        probation.offer(first, result(1, 0));
        assertThat(take(second)).isNull();
        probation.offer(second, result(2, 0));
        assertThat(take(first)).isNull();
        assertThat(numberOf(take(second))).isEqualTo(2);
    }

    /** Fingerprints of one queue have some bits in common: of 64 queues, six. */
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
        // With a uniform distribution, 1 - 1/e of the slots are used.
        assertThat(IntStream.of(prints).filter(ghosts::take).count()).isGreaterThan(slots / 2);
        assertThat(IntStream.of(prints).filter(ghosts::take).count()).isZero();
    }

    @Test
    void threadsGetNothingButWhatWasPutUnderTheirKey() throws Exception {
        ProbationQueue shared = new ProbationQueue(16 << 20, othersBytes, this::limitOthers, Runnable::run);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            var all = IntStream.range(0, 3)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> {
                        Random random = new Random(thread);
                        for (int i = 0; i < 200_000; i++) {
                            int number = random.nextInt(50_000);
                            CachedResult result = shared.take(key(number), (key, taken) -> {});
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
