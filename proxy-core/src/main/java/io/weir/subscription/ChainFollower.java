package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.HeadListener;
import io.weir.chain.Slot;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Source of heads for the stream. While it is on, it wants the head as clients' calls do, so that nodes are polled or announce
 * their blocks. Confined to the event loop of the stream.
 */
final class ChainFollower {

    /** Time between two looks at the head, if nothing tells of a new one before. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Time after which a reorganisation that was told can be read from the view. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time for which the view may lack the head. After it the stream gets the head as a node showed it, and finds the gap. */
    private static final long UNLINKED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final EventLoop loop;
    private final NetworkHead head;
    private final NetworkChain chain;
    private final ShownBlocks shown;
    private volatile @Nullable Consumer<BlockLink> sink;
    private volatile @Nullable BlockLink newest;
    /** Since when the view lacks the head; 0 if it has it. */
    private long unlinkedNanos;

    private boolean looking;
    private boolean again;
    private int generation;

    /** @param shown receives the blocks that nodes show while the head is followed */
    ChainFollower(EventLoop loop, NetworkHead head, NetworkChain chain, ShownBlocks shown) {
        this.loop = loop;
        this.head = head;
        this.chain = chain;
        this.shown = shown;
    }

    /** Begins to hear of heads, of which nothing is told before the first {@link #follow}. Called once. */
    void start() {
        head.listen((block, round, upstreamId) -> {
            if (sink != null) {
                shown.add(block);
                newest = block.link();
                lookSoon(0);
            }
        });
        head.tracker().listen(new HeadListener() {
            @Override
            public void rose(long number) {
                lookSoon(0);
            }

            @Override
            public void wentBack(long from, long to) {
                lookSoon(0);
            }
        });
        chain.view().listen(reorg -> lookSoon(SETTLE_NANOS));
    }

    /** Begins to follow the head. The sink receives it whenever it may have changed, on the event loop. */
    void follow(Consumer<BlockLink> heads) {
        sink = heads;
        generation++;
        tick(generation);
    }

    /** Follows the head no more. */
    void stop() {
        sink = null;
        generation++;
        shown.clear();
        newest = null;
        unlinkedNanos = 0;
    }

    private void tick(int begun) {
        if (begun == generation) {
            look();
            loop.schedule(() -> tick(begun), TICK_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Thread-safe. */
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
            Consumer<BlockLink> heads = sink;
            if (heads != null && found != null) {
                heads.accept(found);
            }
            if (again) {
                look();
            }
        });
    }

    /**
     * Finds the head now.
     *
     * @param found receives it once, on the event loop; null if no node named it in time
     */
    void find(long deadlineNanos, Consumer<@Nullable BlockLink> found) {
        head.whenFresh(
                loop,
                deadlineNanos,
                number -> chain.watch().whenFresh(loop, deadlineNanos, fresh -> {
                    CanonicalLinks links = chain.view().links();
                    Slot top = fresh && links.top() >= 0 ? links.at(links.top()) : null;
                    if (top != null) {
                        unlinkedNanos = 0;
                    }
                    found.accept(top == null ? unlinked() : top.block());
                }));
    }

    /** Returns the head that a node showed, if no node has linked it to earlier blocks for some time; otherwise null. */
    private @Nullable BlockLink unlinked() {
        BlockLink block = newest;
        long now = System.nanoTime();
        unlinkedNanos = unlinkedNanos == 0 ? now : unlinkedNanos;
        boolean isHead = block != null && block.number() == head.tracker().number();
        return isHead && now - unlinkedNanos >= UNLINKED_NANOS ? block : null;
    }
}
