package io.weir.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results that can no longer become wrong are promoted wherever they are stored. */
class PromotionTest {

    private final ResultStore store = new ResultStore(1 << 24);
    private final List<String> told = new ArrayList<>();

    PromotionTest() {
        store.listen("net", (key, result, purges) -> told.add(key.params() + " " + result.lasting()));
    }

    private static CallKey key(String network, long number) {
        return new CallKey(network, "eth_getBalance", RawJson.of("[" + number + "]"));
    }

    private void put(String network, long number) {
        BlockRef block = new BlockRef(number, "h" + number, CachedResult.ANY_STAMP);
        CachedResult result = new CachedResult(RawJson.of("\"0x1\""), ResultKind.VALUE, "", block, false);
        store.put(key(network, number), result, store.purges());
    }

    private long promote(long upTo) {
        List<CachedResult> promoted = new ArrayList<>();
        store.promoteIf("net", result -> result.block().number() <= upTo, store.purges(), promoted::add);
        assertThat(promoted).allMatch(CachedResult::lasting);
        return promoted.size();
    }

    @Test
    void promotedResultsStayAndListenersHearOfThem() {
        for (long number = 1; number <= 6; number++) {
            put("net", number);
        }
        // A result that was used is an object; the others are packed.
        store.get(key("net", 2));
        assertThat(promote(3)).isEqualTo(3);

        assertThat(told).containsExactlyInAnyOrder("[1] true", "[2] true", "[3] true");
        for (long number = 1; number <= 6; number++) {
            assertThat(store.get(key("net", number)).lasting()).isEqualTo(number <= 3);
        }
    }

    @Test
    void aResultIsPromotedOnce() {
        put("net", 1);
        assertThat(promote(5)).isEqualTo(1);
        assertThat(promote(5)).isZero();
        assertThat(told).hasSize(1);
    }

    @Test
    void resultsOfOtherNetworksStayAsTheyAre() {
        put("other", 1);
        assertThat(promote(5)).isZero();
        assertThat(store.get(key("other", 1)).lasting()).isFalse();
    }
}
