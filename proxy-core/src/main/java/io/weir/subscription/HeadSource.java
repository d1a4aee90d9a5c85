package io.weir.subscription;

import io.weir.chain.BlockLink;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What names the head of a network's chain with its hash. Confined to the event loop of the stream. */
interface HeadSource {

    /**
     * Finds the head now.
     *
     * @param found receives it once, on the event loop; null if no node named it in time
     */
    void find(long deadlineNanos, Consumer<@Nullable BlockLink> found);

    /** Forgets what it knows, because nobody follows the head any more. */
    void forget();
}
