package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.upstream.LoopWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills gaps of the chain view downward, when a result depends on a block in a gap. It requests headers by number in batches,
 * and adds those that the block above names as its parent. Each header is paid from the budget, so it requests none beyond the block.
 * For a result that comes again a whole batch costs as much as one. Thread-safe; one batch is under way at a time.
 */
final class LinkFill {

    /** Maximum number of blocks that one batch requests. */
    static final int MAX_BATCH = 256;

    /** Depth below the head that is filled while no block is known to be final. */
    static final int WITHOUT_FINALITY = 128;

    /** Maximum number of results that wait. Further ones are not cached. */
    private static final int MAX_WAITING = 256;

    private static final long BATCH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ChainView view;
    private final Finality finalized;
    private final BlockSource blocks;
    private final IntPredicate budget;
    private final LongSupplier clock;
    private final List<Waiting> waiting = new ArrayList<>();
    private boolean running;
    private boolean repeated;

    /**
     * Waiting for the hash of the block at a height.
     *
     * @param followed whether clients follow the chain; else a result depends on the block
     */
    private record Waiting(long number, boolean followed, LoopWaiter<Boolean> waiter) {}

    /**
     * @param budget takes the fetches of so many headers out of the budget; false if there are not enough
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    LinkFill(ChainView view, Finality finalized, BlockSource blocks, IntPredicate budget, LongSupplier clock) {
        this.view = view;
        this.finalized = finalized;
        this.blocks = blocks;
        this.budget = budget;
        this.clock = clock;
    }

    /**
     * Fills the view down to a height, as {@link ChainWatch#whenReached}.
     *
     * @param again whether the same result came before
     */
    void reach(EventLoop loop, long number, boolean again, Consumer<Boolean> sink) {
        reach(loop, number, false, again, sink);
    }

    /** The same for those who follow the chain. They pay nothing, and need final blocks too. */
    void follow(EventLoop loop, long number, Consumer<Boolean> sink) {
        reach(loop, number, true, false, sink);
    }

    private void reach(EventLoop loop, long number, boolean followed, boolean again, Consumer<Boolean> sink) {
        boolean possible = isPossible(number, followed);
        if (!possible || view.hash(number) != null) {
            sink.accept(possible);
            return;
        }
        boolean full;
        boolean first;
        synchronized (this) {
            full = waiting.size() >= MAX_WAITING;
            if (!full) {
                waiting.add(new Waiting(number, followed, new LoopWaiter<>(loop, sink)));
                repeated |= again;
            }
            first = !running && !full;
            running = running || first;
        }
        if (full) {
            sink.accept(false);
        } else if (first) {
            next(loop);
        }
    }

    /** Returns whether the links may reach down to a height. */
    boolean isPossible(long number) {
        return isPossible(number, false);
    }

    private boolean isPossible(long number, boolean followed) {
        CanonicalLinks links = view.links();
        long floor = followed ? Math.max(-1, links.bottom() - 2) : floor(links);
        return number > floor && number <= links.top();
    }

    private long floor(CanonicalLinks links) {
        long known = finalized.number();
        return Math.max(known < 0 ? links.top() - WITHOUT_FINALITY : known, links.bottom() - 1);
    }

    private void next(EventLoop loop) {
        List<Waiting> open = end(false);
        if (open.isEmpty()) {
            return;
        }
        CanonicalLinks links = view.links();
        long highest = open.stream().mapToLong(Waiting::number).max().orElseThrow();
        long lowest = open.stream().mapToLong(Waiting::number).min().orElseThrow();
        boolean followed = open.stream().anyMatch(Waiting::followed);
        long from = links.knownAbove(highest);
        long known = links.knownUpTo(highest);
        long low = Math.max(Math.max(lowest, known + 1), from - MAX_BATCH + 1);
        if (from >= 0 && !followed && !budget.test(isRepeated() ? 1 : (int) (from - low) + 1)) {
            // The block nearest to the known ones costs the fewest.
            low = highest > low && budget.test((int) (from - highest) + 1) ? highest : from + 1;
        }
        if (from < 0 || low > from) {
            end(true);
            return;
        }
        long until = clock.getAsLong() + BATCH_NANOS;
        blocks.downFrom(loop, from, (int) (from - low) + 1, links.top(), until, batch -> take(loop, from, batch));
    }

    private synchronized boolean isRepeated() {
        return repeated;
    }

    /**
     * Ends the waiting for known heights and for those out of reach; returns the others.
     *
     * @param all whether to end it for those too
     */
    private List<Waiting> end(boolean all) {
        List<Waiting> ended = new ArrayList<>();
        List<Waiting> open = new ArrayList<>();
        synchronized (this) {
            for (Waiting each : waiting) {
                if (all || view.hash(each.number()) != null || !isPossible(each.number(), each.followed())) {
                    ended.add(each);
                } else {
                    open.add(each);
                }
            }
            waiting.removeAll(ended);
            running = !waiting.isEmpty();
            repeated &= running;
        }
        ended.forEach(each -> each.waiter().end(view.hash(each.number()) != null));
        return open;
    }

    private void take(EventLoop loop, long high, @Nullable BlockLink[] batch) {
        for (BlockLink link : batch) {
            if (link == null) {
                break;
            }
            view.extend(link);
        }
        if (view.at(high) == null) {
            // Without the highest block none of the others is linked.
            end(true);
        } else {
            next(loop);
        }
    }
}
