package io.weir.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import java.util.Random;

/**
 * How many of skewed calls the results in memory answer, beside Caffeine alone in as many bytes, in which each result is an
 * object. Arguments: mebibytes, the results' size in bytes.
 */
final class HitRatio {

    /** The bytes of a result's object beside its content. */
    private static final int OBJECT_BYTES = 400;

    /** Distinct results for each mebibyte: more than twice as many as fit. */
    private static final int KEYS_OF_A_MEBIBYTE = 8_000;

    private static final int CALLS_OF_A_KEY = 6;

    private final int keys;
    private final int resultBytes;
    private final ResultStore store;
    private final Cache<CallKey, CachedResult> objects;
    private final Random random = new Random(1);
    private long storeHits;
    private long objectHits;

    private HitRatio(int mebibytes, int resultBytes) {
        this.keys = mebibytes * KEYS_OF_A_MEBIBYTE;
        this.resultBytes = resultBytes;
        this.store = new ResultStore((long) mebibytes << 20);
        this.objects = Caffeine.newBuilder()
                .maximumWeight((long) mebibytes << 20)
                .<CallKey, CachedResult>weigher((key, result) ->
                        OBJECT_BYTES + key.params().length() + result.value().length())
                .executor(Runnable::run)
                .build();
    }

    /** Prints a table of it. */
    public static void main(String[] arguments) {
        int mebibytes = Integer.parseInt(arguments[0]);
        int resultBytes = Integer.parseInt(arguments[1]);
        System.out.println("| Zipf exponent | asked once only | hits | hits of Caffeine alone |\n|---|---|---|---|");
        for (double skew : new double[] {0.7, 0.9, 0.99}) {
            for (int once : new int[] {0, 10, 50}) {
                HitRatio ratio = new HitRatio(mebibytes, resultBytes);
                int calls = ratio.keys * CALLS_OF_A_KEY;
                ratio.run(calls, skew, once);
                System.out.printf(
                        "| %s | %d %% | %.1f %% | %.1f %% |%n",
                        skew, once, 100.0 * ratio.storeHits / calls, 100.0 * ratio.objectHits / calls);
            }
        }
    }

    /** Asks so often, by Zipf but for some percent, which nobody asks for again. */
    private void run(int calls, double skew, int once) {
        for (int i = 0; i < calls; i++) {
            ask(random.nextInt(100) < once ? -1 - i : zipf(skew));
        }
    }

    /** A key by the inverse of the distribution's integral. */
    private int zipf(double skew) {
        double rest = 1 - skew;
        return (int) Math.pow(1 + random.nextDouble() * (Math.pow(keys, rest) - 1), 1 / rest);
    }

    private void ask(int number) {
        CallKey key = new CallKey("mainnet", "eth_call", RawJson.of("[" + number + "]"));
        if (store.get(key) != null) {
            storeHits++;
        } else {
            store.put(key, result(), store.purges());
        }
        if (objects.getIfPresent(key) != null) {
            objectHits++;
        } else {
            objects.put(key, result());
        }
    }

    private CachedResult result() {
        CachedResult.BlockRef block = new CachedResult.BlockRef(1, null, CachedResult.ANY_STAMP);
        return new CachedResult(RawJson.of(new byte[resultBytes]), ResultKind.VALUE, "", block, true);
    }
}
