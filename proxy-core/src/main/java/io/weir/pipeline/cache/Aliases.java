package io.weir.pipeline.cache;

import io.weir.cache.CallKey;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Under which keys results are kept that answer calls in other words whole: a block is kept once, however it is asked for. Remembers
 * the last ones, so that the same words need not be understood again. Thread-safe.
 */
final class Aliases {

    private static final int SLOTS = 1024;

    /** Longer words are not worth remembering. */
    static final int MAX_BYTES = 128;

    private final AtomicReferenceArray<@Nullable Alias> slots = new AtomicReferenceArray<>(SLOTS);

    private record Alias(CallKey asked, CallKey kept) {}

    /** Remembers under which key the answer to a call is. */
    void note(CallKey asked, CallKey kept) {
        if (asked.params().length() <= MAX_BYTES) {
            slots.set(slot(asked), new Alias(asked.compact(), kept));
        }
    }

    /** Under which key the answer to a call was; null where that is not remembered. */
    @Nullable
    CallKey of(CallKey asked) {
        Alias alias = slots.get(slot(asked));
        return alias != null && alias.asked().equals(asked) ? alias.kept() : null;
    }

    private static int slot(CallKey asked) {
        return asked.hashCode() & (SLOTS - 1);
    }
}
