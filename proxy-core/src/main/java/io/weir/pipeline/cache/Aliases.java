package io.weir.pipeline.cache;

import io.weir.cache.CallKey;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The keys of final blocks' results, by the calls that they answered last: a block is stored once, however calls name it. With an
 * alias, a repeated call needs no validation. Thread-safe.
 */
final class Aliases {

    private static final int SLOTS = 1024;

    /** The longest parameters that are remembered, in bytes. */
    static final int MAX_BYTES = 128;

    private final AtomicReferenceArray<@Nullable Alias> slots = new AtomicReferenceArray<>(SLOTS);

    private record Alias(CallKey asked, CallKey stored) {}

    /** Remembers the key of the result that answered a call. */
    void put(CallKey asked, CallKey stored) {
        if (asked.params().length() <= MAX_BYTES) {
            slots.set(slot(asked), new Alias(asked.compact(), stored));
        }
    }

    /** Returns the key of the result that answered a call; null if it is not remembered. */
    @Nullable
    CallKey get(CallKey asked) {
        Alias alias = slots.get(slot(asked));
        return alias != null && alias.asked().equals(asked) ? alias.stored() : null;
    }

    private static int slot(CallKey asked) {
        return asked.hashCode() & (SLOTS - 1);
    }
}
