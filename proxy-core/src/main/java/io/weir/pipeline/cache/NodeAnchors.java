package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.cache.tier.ChainAnchors;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.NetworkChain;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Blocks of a network's chain as its nodes name them, asked for on the event loop of a recent call. Thread-safe. */
final class NodeAnchors implements ChainAnchors {

    private static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NetworkChain chain;
    private final BlockSource blocks;
    private final LongSupplier clock;
    private volatile @Nullable EventLoop loop;

    /** Begins without an event loop: until the first call, no node is asked. */
    NodeAnchors(NetworkChain chain, BlockSource blocks, LongSupplier clock) {
        this.chain = chain;
        this.blocks = blocks;
        this.clock = clock;
    }

    /** Notes the event loop of a call. */
    void seen(EventLoop of) {
        if (!of.equals(loop)) {
            loop = of;
        }
    }

    /** Runs a task on the event loop after a pause; returns false if there is no event loop. */
    boolean tryLater(Runnable task, long nanos) {
        EventLoop on = loop;
        if (on == null || on.isShuttingDown()) {
            return false;
        }
        on.schedule(task, nanos, TimeUnit.NANOSECONDS);
        return true;
    }

    @Override
    public void finalBlock(Consumer<@Nullable Anchor> sink) {
        EventLoop on = loop;
        if (on == null) {
            sink.accept(null);
            return;
        }
        on.execute(() -> chain.finality().whenKnown(on, 0, () -> {
            long number = chain.finalized().number();
            if (number < 0) {
                sink.accept(null);
            } else {
                hashAt(on, number, hash -> sink.accept(hash == null ? null : new Anchor(number, hash)));
            }
        }));
    }

    @Override
    public void hashAt(long number, Consumer<@Nullable String> sink) {
        EventLoop on = loop;
        if (on == null) {
            sink.accept(null);
        } else {
            on.execute(() -> hashAt(on, number, sink));
        }
    }

    private void hashAt(EventLoop on, long number, Consumer<@Nullable String> sink) {
        blocks.byNumber(
                on,
                number,
                clock.getAsLong() + ASKING_NANOS,
                named -> sink.accept(
                        named == null || named.link().number() != number
                                ? null
                                : named.link().hash()));
    }
}
