package io.weir.pipeline.range;

import io.weir.chain.CanonicalLinks;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.watch.NetworkChain;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Canonical block that shows whether the blocks of a range were replaced: while it is canonical, all blocks below it are. Immutable.
 *
 * @param hash of the block; null if the range is final, so that nothing can replace its blocks
 */
record ChainAnchor(long number, @Nullable String hash) {

    /** Anchor of final blocks. */
    private static final ChainAnchor FINAL = new ChainAnchor(-1, null);

    /**
     * Finds the anchor of a range. The newest known block takes the place of a last block that is not known.
     *
     * @param to the last block of the range
     * @param sink gets the anchor, on the call's loop; null if the chain cannot be checked
     */
    static void find(NetworkChain chain, CallContext context, long to, Consumer<@Nullable ChainAnchor> sink) {
        if (chain.finalized().covers(to)) {
            sink.accept(FINAL);
            return;
        }
        whenFresh(chain, context, fresh -> sink.accept(fresh ? of(chain.view().links(), to) : null));
    }

    private static @Nullable ChainAnchor of(CanonicalLinks links, long to) {
        long number = links.hash(to) == null ? links.top() : to;
        String hash = links.hash(number);
        return hash == null ? null : new ChainAnchor(number, hash);
    }

    /**
     * Checks the chain.
     *
     * @param sink gets whether the block is still canonical, on the call's loop; false if that is not known
     */
    void check(NetworkChain chain, CallContext context, Consumer<Boolean> sink) {
        if (hash == null) {
            sink.accept(true);
        } else {
            whenFresh(
                    chain,
                    context,
                    fresh -> sink.accept(fresh && hash.equals(chain.view().hash(number))));
        }
    }

    private static void whenFresh(NetworkChain chain, CallContext context, Consumer<Boolean> sink) {
        chain.watch()
                .whenFresh(context.loop(), context.deadlineNanos(), fresh -> context.step(() -> sink.accept(fresh)));
    }

    /** Returns whether blocks up to a height can be replaced. */
    boolean isOpen() {
        return hash != null;
    }
}
