package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.Slot;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Heads of an Ethereum network, as the view of its chain links them. Confined to the event loop of the stream. */
final class LinkedHeads implements ChainFollower.Heads {

    /** Time after which a reorganisation that was told can be read from the view. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Time for which the view may lack the head. After it the stream gets the head as a node showed it, and finds the gap. */
    private static final long UNLINKED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final EventLoop loop;
    private final NetworkHead head;
    private final NetworkChain chain;
    private final StreamBlocks blocks;
    private volatile @Nullable BlockLink newest;
    /** Since when the view lacks the head; 0 if it has it. */
    private long unlinkedNanos;

    /** @param blocks receives the blocks that nodes show while the head is followed */
    LinkedHeads(EventLoop loop, NetworkHead head, NetworkChain chain, StreamBlocks blocks) {
        this.loop = loop;
        this.head = head;
        this.chain = chain;
        this.blocks = blocks;
    }

    /** Begins to hear of blocks that nodes show, for a follower. Called once. */
    void start(ChainFollower follower) {
        head.listen((block, round, upstreamId) -> {
            if (follower.isOn()) {
                blocks.show(block);
                newest = block.link();
                follower.lookSoon(0);
            }
        });
        chain.view().listen(reorg -> follower.lookSoon(SETTLE_NANOS));
    }

    @Override
    public void find(long deadlineNanos, Consumer<@Nullable BlockLink> found) {
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

    @Override
    public void forget() {
        blocks.forget();
        newest = null;
        unlinkedNanos = 0;
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
