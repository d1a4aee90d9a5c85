package io.weir.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.ReceiptsLayout;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultStoreTest {

    private static CallKey key(String network, int number) {
        return new CallKey(network, "eth_call", RawJson.of("[" + number + "]"));
    }

    private static CachedResult result(int bytes, long block) {
        RawJson value = RawJson.of("\"" + "x".repeat(bytes - 2) + "\"");
        return new CachedResult(value, ResultKind.VALUE, "", new BlockRef(block, null, CachedResult.ANY_STAMP), true);
    }

    @Test
    void theBoundHoldsOverAnyNumberOfDistinctKeys() {
        ResultStore store = new ResultStore(1 << 20);
        for (int i = 0; i < 100_000; i++) {
            store.put(key("net", i), result(100 + i % 1_000, i), store.purges());
            assertThat(store.bytes()).isLessThanOrEqualTo((1 << 20) + 1_600);
        }
        assertThat(store.evictions()).isGreaterThan(90_000);
        assertThat(store.entries()).isGreaterThan(500);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 1 << 10, 4 << 10, 7 << 10, 24 << 10})
    void largeResultsDriveOutSmallOnesAndTheBoundHolds(int kibibytes) {
        int most = kibibytes << 10;
        ResultStore store = new ResultStore(most);
        for (int i = 0; i < most / 100; i++) {
            store.put(key("net", i), result(40, i), store.purges());
        }
        assertThat(store.bytes()).isBetween(most * 8L / 10, (long) most);
        long small = store.entries();
        for (int i = 1; i < 20; i++) {
            store.put(key("net", -i), result(most / 8 - 500, i), store.purges());
            assertThat(store.bytes()).as("after %d large results", i).isLessThanOrEqualTo(most);
        }
        assertThat(store.entries()).isBetween(small / 10, small * 3 / 4);
    }

    @Test
    void aSmallStoreHoldsItsBoundAndUsesIt() {
        int most = 32 << 10;
        ResultStore store = new ResultStore(most);
        for (int i = 0; i < 1_000; i++) {
            store.put(key("net", i), result(40, i), store.purges());
        }
        assertThat(store.bytes()).isBetween(most * 9L / 10, (long) most);
    }

    @Test
    void slowWorkRunsOnTheHousekeeper() {
        List<Runnable> tasks = new ArrayList<>();
        int most = 16 << 20;
        ResultStore store = new ResultStore(most, Long.MAX_VALUE, tasks::add);
        for (int i = 0; i < most / 100; i++) {
            store.put(key("net", i), result(40, i), store.purges());
        }
        assertThat(tasks).isEmpty();
        store.put(key("net", -1), result(most / 10, 1), store.purges());
        store.put(key("net", -2), result(most / 10, 1), store.purges());
        assertThat(store.bytes()).isGreaterThan(most);
        assertThat(tasks).hasSize(1);
        tasks.get(0).run();
        assertThat(store.bytes()).isLessThanOrEqualTo(most);
    }

    @Test
    void anEntryWeighsWhatItHolds() {
        ResultStore store = new ResultStore(1 << 20);
        store.put(key("net", 1), result(10_000, 1), store.purges());
        assertThat(store.bytes()).isEqualTo(10_000 + 3 + ResultStore.OVERHEAD_BYTES);
        store.put(key("net", 1), result(5_000, 1), store.purges());
        assertThat(store.bytes()).as("replaced").isEqualTo(5_000 + 3 + ResultStore.OVERHEAD_BYTES);
    }

    @Test
    void theNewerOfTwoResultsIsReturnedWhereverTheyAre() {
        ResultStore store = new ResultStore(1 << 20);
        int[] sizes = {100, 200, 10_000, 300, 400, 20_000};
        for (int size : sizes) {
            store.put(key("net", 1), result(size, 1), store.purges());
            assertThat(store.get(key("net", 1)).value().length()).isEqualTo(size);
        }
        store.purge("net", result -> true);
        assertThat(store.get(key("net", 1))).isNull();
        assertThat(store.bytes()).isZero();
    }

    @Test
    void noThreadMissesWhatAnotherOneGetsAtTheSameTime() throws Exception {
        ResultStore store = new ResultStore(64 << 20);
        int all = 50_000;
        for (int i = 0; i < all; i++) {
            store.put(key("net", i), result(40, i), store.purges());
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Callable<Long> walk = () -> IntStream.range(0, all)
                    .filter(i -> store.get(key("net", i)) == null)
                    .count();
            // Of two keys with one fingerprint the earlier one is gone. With this many keys that is rare.
            for (Future<Long> missed : threads.invokeAll(List.of(walk, walk))) {
                assertThat(missed.get()).isLessThan(5);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aReadResultCanBeReplacedAndRemoved() {
        ResultStore store = new ResultStore(1 << 20);
        store.put(key("net", 1), result(100, 1), store.purges());
        CachedResult got = store.get(key("net", 1));
        store.replace(key("net", 1), got, got.with(true, ReceiptsLayout.read(RawJson.EMPTY_ARRAY)));
        CachedResult replaced = store.get(key("net", 1));
        assertThat(replaced.layout()).isNotNull();
        store.remove(key("net", 1), replaced);
        assertThat(store.get(key("net", 1))).isNull();
        assertThat(store.entries()).isZero();
    }

    /** In as many bytes, and of calls as skewed as those of a chain are. */
    @Test
    void atLeastAsManyAreAnsweredAsWhereAllAreObjects() {
        long most = 1 << 20;
        ResultStore store = new ResultStore(most);
        Cache<CallKey, CachedResult> objects = Caffeine.newBuilder()
                .maximumWeight(most)
                .<CallKey, CachedResult>weigher((key, result) -> ResultStore.OVERHEAD_BYTES
                        + key.params().length()
                        + result.value().length())
                .executor(Runnable::run)
                .build();
        double[] hits = new double[2];
        Random random = new Random(1);
        for (int i = 0; i < 400_000; i++) {
            // Zipf with exponent 1, over 100,000 keys, by the inverse of its distribution; a tenth is asked once and
            // never again.
            int number = i % 10 == 0 ? -i : (int) Math.pow(100_000, random.nextDouble());
            CallKey key = key("net", number);
            if (store.get(key) != null) {
                hits[0]++;
            } else {
                store.put(key, result(150, 1), store.purges());
            }
            if (objects.getIfPresent(key) != null) {
                hits[1]++;
            } else {
                objects.put(key, result(150, 1));
            }
        }
        assertThat(hits[1]).isGreaterThan(100_000);
        assertThat(hits[0]).isGreaterThanOrEqualTo(hits[1] * 0.99);
    }

    @Test
    void aVeryLargeResultIsNotCached() {
        ResultStore store = new ResultStore(1 << 20);
        assertThat(store.put(key("net", 1), result(1 << 18, 1), store.purges())).isFalse();
        assertThat(store.entries()).isZero();
    }

    @Test
    void aStoreOfZeroBytesCachesNothing() {
        ResultStore store = new ResultStore(0);
        assertThat(store.isOn()).isFalse();
        assertThat(store.put(key("net", 1), result(10, 1), store.purges())).isFalse();
    }

    @Test
    void networksAreSeparate() {
        ResultStore store = new ResultStore(1 << 20);
        store.put(key("a", 1), result(10, 1), store.purges());
        store.put(key("b", 1), result(20, 1), store.purges());
        assertThat(store.purge("a", result -> true)).isEqualTo(1);
        assertThat(store.get(key("a", 1))).isNull();
        assertThat(store.get(key("b", 1))).isNotNull();
    }

    @Test
    void anAnswerToACallBeforeAPurgeIsNotCachedAfterIt() {
        ResultStore store = new ResultStore(1 << 20);
        long before = store.purges();
        store.purge("a", result -> true);
        assertThat(store.put(key("a", 1), result(10, 1), before)).isFalse();
        assertThat(store.get(key("a", 1))).isNull();
    }

    @Test
    void aResultThatAPurgeOvertakesWhileItIsStoredIsNeitherCachedNorTold() {
        int most = 16 << 20;
        AtomicReference<ResultStore> purged = new AtomicReference<>();
        ResultStore store = new ResultStore(most, Long.MAX_VALUE, task -> {
            purged.get().purge("net", result -> true);
            task.run();
        });
        purged.set(store);
        for (int i = 0; i < most / 100; i++) {
            store.put(key("net", i), result(40, i), store.purges());
        }
        List<CallKey> told = new ArrayList<>();
        store.listen("net", (key, result, purges) -> told.add(key));
        int large = 0;
        while (store.purges() == 0) {
            large++;
            boolean kept = store.put(key("net", -large), result(most / 10, 1), 0);
            assertThat(kept).isEqualTo(store.purges() == 0);
        }
        assertThat(store.get(key("net", -large))).isNull();
        assertThat(told).hasSize(large - 1).doesNotContain(key("net", -large));
    }
}
