package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult.BlockRef;
import io.weir.jsonrpc.RawJson;
import org.junit.jupiter.api.Test;

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

    @Test
    void anEntryWeighsWhatItHolds() {
        ResultStore store = new ResultStore(1 << 20);
        store.put(key("net", 1), result(1_000, 1), store.purges());
        assertThat(store.bytes()).isEqualTo(1_000 + 3 + ResultStore.OVERHEAD_BYTES);
        store.put(key("net", 1), result(500, 1), store.purges());
        assertThat(store.bytes()).as("replaced").isEqualTo(500 + 3 + ResultStore.OVERHEAD_BYTES);
    }

    @Test
    void aResultThatIsVeryLargeIsNotKept() {
        ResultStore store = new ResultStore(1 << 20);
        assertThat(store.put(key("net", 1), result(1 << 18, 1), store.purges())).isFalse();
        assertThat(store.entries()).isZero();
    }

    @Test
    void aStoreWithoutRoomKeepsNothing() {
        ResultStore store = new ResultStore(0);
        assertThat(store.isOn()).isFalse();
        assertThat(store.put(key("net", 1), result(10, 1), store.purges())).isFalse();
    }

    @Test
    void networksAreKeptApart() {
        ResultStore store = new ResultStore(1 << 20);
        store.put(key("a", 1), result(10, 1), store.purges());
        store.put(key("b", 1), result(20, 1), store.purges());
        assertThat(store.purge("a", result -> true)).isEqualTo(1);
        assertThat(store.get(key("a", 1))).isNull();
        assertThat(store.get(key("b", 1))).isNotNull();
    }

    @Test
    void whatWasAskedBeforeAPurgeIsNotKeptAfterIt() {
        ResultStore store = new ResultStore(1 << 20);
        long before = store.purges();
        store.purge("a", result -> true);
        assertThat(store.put(key("a", 1), result(10, 1), before)).isFalse();
        assertThat(store.get(key("a", 1))).isNull();
    }
}
