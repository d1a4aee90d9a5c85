package io.weir.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.memory.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallKeyTest {

    private static final String METHOD = "eth_getBlockByNumber";

    /** Of so many keys about a thousand pairs have the same hash of 32 bits; the search ends at the first. */
    private static final int TEXTS = 3_000_000;

    /** Two calls whose keys have the same hash; hashes are salted in each process, so that they must be searched for. */
    private record Pair(CallKey one, CallKey other) {

        static Pair find() {
            Map<Integer, Integer> seen = new HashMap<>();
            for (int number = 0; number < TEXTS; number++) {
                Integer before = seen.put(key(number).hashCode(), number);
                if (before != null) {
                    return new Pair(key(before), key(number));
                }
            }
            throw new AssertionError("no two of " + TEXTS + " keys have the same hash");
        }

        private static CallKey key(int number) {
            return new CallKey("net", METHOD, RawJson.of("[\"0x" + Integer.toHexString(number) + "\",false]"));
        }
    }

    @Test
    void keysWithTheSameHashAndOtherParametersDiffer() {
        Pair pair = Pair.find();

        assertThat(pair.one()).hasSameHashCodeAs(pair.other()).isNotEqualTo(pair.other());
        assertThat(pair.one().compact()).isNotEqualTo(pair.other().compact());
    }

    @Test
    void aStoredResultNeverAnswersACallWithTheSameHashAndOtherParameters() {
        Pair pair = Pair.find();
        ResultStore store = new ResultStore(1 << 20);
        store.put(pair.one(), result("1"), store.purges());

        assertThat(store.get(pair.other())).isNull();
        store.put(pair.other(), result("2"), store.purges());
        CachedResult first = store.get(pair.one());
        assertThat(first == null ? "1" : first.value().toString()).isEqualTo("1");
        CachedResult second = store.get(pair.other());
        assertThat(second == null ? "2" : second.value().toString()).isEqualTo("2");
        assertThat(first == null && second == null).as("neither is stored").isFalse();
    }

    @Test
    void keysDifferByNetworkAndByMethodEvenWhereTheirHashesAreTheSame() {
        RawJson params = RawJson.of("[]");
        // "Aa" and "BB" have the same hash in Java.
        CallKey key = new CallKey("Aa", "Aa", params);

        assertThat(new CallKey("BB", "Aa", params)).hasSameHashCodeAs(key).isNotEqualTo(key);
        assertThat(new CallKey("Aa", "BB", params)).hasSameHashCodeAs(key).isNotEqualTo(key);
    }

    @Test
    void aKeyEqualsItsCompactCopyAndASliceOfALargerText() {
        byte[] text = "junk[\"0x1\"]junk".getBytes(UTF_8);
        CallKey cut = new CallKey("net", METHOD, RawJson.slice(text, 4, 7));
        CallKey whole = new CallKey("net", METHOD, RawJson.of("[\"0x1\"]"));

        assertThat(cut).isEqualTo(whole).hasSameHashCodeAs(whole);
        assertThat(cut.compact()).isEqualTo(whole);
        assertThat(cut).hasToString("net: eth_getBlockByNumber[\"0x1\"]");
    }

    private static CachedResult result(String json) {
        return new CachedResult(
                RawJson.of(json), ResultKind.BLOCK, "", new BlockRef(1, null, CachedResult.ANY_STAMP), true);
    }
}
