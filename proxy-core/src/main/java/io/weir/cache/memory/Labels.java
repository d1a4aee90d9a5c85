package io.weir.cache.memory;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.method.ResultKind;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Small numbers for properties that many results share exactly. There are about as many as methods, and never more than
 * {@value #MAX}, so they are never removed. Thread-safe.
 */
final class Labels {

    static final int MAX = Short.MAX_VALUE;

    /** Labels that are compared before the map is asked, which takes an object. */
    private static final int FIRST = 16;

    private final Map<Label, Integer> numbers = new ConcurrentHashMap<>();
    private volatile @Nullable Label[] labels = new Label[FIRST];
    private int used;

    /** Shared properties of the results of one method with one proof. Immutable. */
    record Label(String network, String method, ResultKind kind, String proven) {

        boolean isOf(CallKey key) {
            return method.equals(key.method()) && network.equals(key.network());
        }
    }

    /** Returns the number of a result's shared properties; -1 if there are too many already. */
    int number(CallKey key, CachedResult result) {
        @Nullable Label[] known = labels;
        for (int i = 0; i < FIRST; i++) {
            Label one = known[i];
            if (one != null
                    && one.isOf(key)
                    && one.kind() == result.kind()
                    && one.proven().equals(result.proven())) {
                return i;
            }
        }
        Label label = new Label(key.network(), key.method(), result.kind(), result.proven());
        Integer number = numbers.get(label);
        return number == null ? add(label) : number;
    }

    private synchronized int add(Label label) {
        Integer known = numbers.get(label);
        if (known != null || used == MAX) {
            return known == null ? -1 : known;
        }
        @Nullable Label[] next = Arrays.copyOf(labels, used == labels.length ? used * 2 : labels.length);
        next[used] = label;
        labels = next;
        numbers.put(label, used);
        return used++;
    }

    /** Returns the properties with a number. */
    Label get(int number) {
        Label label = labels[number];
        if (label == null) {
            throw new IllegalArgumentException("nothing has the number " + number);
        }
        return label;
    }
}
