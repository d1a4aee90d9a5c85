package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.HeadListener;
import io.weir.chain.Slot;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.subscription.stream.ChainStream;
import io.weir.subscription.stream.GapPatience;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follower of a network's chain for the stream. While it is on, it wants the head as clients' calls do, so that nodes are polled or
 * announce their blocks. Confined to the event loop of the stream, except for methods marked as thread-safe.
 */
final class ChainFollower implements ChainStream.Links, HeadListener {

    /** Time between two looks at the head, if nothing tells of a new one before. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time after which a reorganisation that was told can be read from the view. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final EventLoop loop;
    private final NetworkHead head;
    private final NetworkChain chain;
    private volatile @Nullable Runnable sink;
    private Runnable unlinked = () -> {};
    /** Since when the view lacks the head; 0 if it has it. */
    private long lackingNanos;

    private boolean looking;
    private boolean again;
    private int generation;

    ChainFollower(EventLoop loop, NetworkHead head, NetworkChain chain) {
        this.loop = loop;
        this.head = head;
        this.chain = chain;
    }

    /** Begins to hear of heads, of which nothing is told before the first {@link #follow}. Called once. */
    void start() {
        head.tracker().listen(this);
        head.listen((block, round, upstreamId) -> lookSoon(0));
        chain.view().listen(reorg -> lookSoon(SETTLE_NANOS));
    }

    @Override
    public void rose(long number) {
        lookSoon(0);
    }

    @Override
    public void wentBack(long from, long to) {
        lookSoon(0);
    }

    /**
     * Begins to follow the head.
     *
     * @param changed runs whenever it may have changed, on the event loop
     * @param lost runs if nobody linked a new head to earlier blocks for too long
     */
    void follow(Runnable changed, Runnable lost) {
        sink = changed;
        unlinked = lost;
        lackingNanos = 0;
        chain.shown().follow(true);
        generation++;
        tick(generation);
    }

    /** Follows the head no more. */
    void stop() {
        sink = null;
        chain.shown().follow(false);
        generation++;
    }

    /**
     * Finds the newest block of the chain as it is now.
     *
     * @param found receives it once, on the event loop; null if no node named it in time, or it could not be linked
     */
    void find(long deadlineNanos, Consumer<@Nullable BlockLink> found) {
        head.whenFresh(
                loop,
                deadlineNanos,
                number -> chain.watch().whenFresh(loop, deadlineNanos, fresh -> {
                    CanonicalLinks links = canonical();
                    Slot top = fresh ? links.at(links.top()) : null;
                    found.accept(top == null ? null : top.block());
                }));
    }

    @Override
    public CanonicalLinks canonical() {
        return chain.view().links();
    }

    @Override
    public void fill(long number, Consumer<Boolean> sink) {
        chain.watch().whenFilled(loop, number, sink);
    }

    @Override
    public void extend(BlockLink block) {
        chain.view().extend(block);
    }

    private void noteLack(boolean lacks) {
        long now = System.nanoTime();
        if (!lacks || head.tracker().number() <= canonical().top()) {
            lackingNanos = 0;
        } else if (lackingNanos == 0) {
            lackingNanos = now;
        } else if (now - lackingNanos >= GapPatience.MAX_NANOS) {
            lackingNanos = 0;
            unlinked.run();
        }
    }

    private void tick(int begun) {
        if (begun == generation) {
            look();
            loop.schedule(() -> tick(begun), TICK_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Looks at the head after a time, if it is followed. Thread-safe. */
    private void lookSoon(long nanos) {
        if (sink == null || loop.isShuttingDown()) {
            return;
        }
        if (nanos == 0) {
            loop.execute(this::look);
        } else {
            loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void look() {
        if (sink == null) {
            return;
        }
        if (looking) {
            again = true;
            return;
        }
        looking = true;
        again = false;
        find(System.nanoTime() + CHECK_NANOS, found -> {
            looking = false;
            Runnable changed = sink;
            if (changed != null) {
                noteLack(found == null);
                changed.run();
            }
            if (again) {
                look();
            }
        });
    }
}
