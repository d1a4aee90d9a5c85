package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.subscription.chain.BlockListener;
import io.weir.subscription.chain.ChainStream;
import io.weir.subscription.chain.GapPatience;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.chain.StreamTimer;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.log.LogCriteria;
import io.weir.subscription.log.LogSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Earlier blocks, or their events, for subscriptions that begin before the head: from the block that the client names up to the one
 * after which the subscription joined the stream, each the parent of the next. Thread-safe.
 */
final class BlockReplays {

    /** Replays of one network at the same time. Each holds at most the headers that a client may ask for. */
    private static final int MAX_REPLAYS = 16;

    private final EventLoop loop;
    private final KindBlocks blocks;
    private final LogSource logs;
    private final SubscriptionForm.Start form;
    private final SubscriptionMeters meters;
    private final Semaphore slots = new Semaphore(MAX_REPLAYS);
    private final Set<Subscription> running = ConcurrentHashMap.newKeySet();

    /** Receiver of the block that a client names: the block, or the reply if there is none. */
    @FunctionalInterface
    interface Found {
        void accept(@Nullable StreamBlock first, RpcReply.@Nullable Failure refusal);
    }

    /**
     * @param loop the event loop of the stream
     * @param logs source of the events of blocks
     */
    BlockReplays(
            EventLoop loop, KindBlocks blocks, LogSource logs, SubscriptionForm.Start form, SubscriptionMeters meters) {
        this.loop = loop;
        this.blocks = blocks;
        this.logs = logs;
        this.form = form;
        this.meters = meters;
    }

    /** Finds the block that a client names. The sink receives it on the event loop of the stream. */
    void find(BlockSelector start, Found sink) {
        loop.execute(() -> blocks.find(start, form.unknownBlock(), sink));
    }

    /**
     * Takes the place of a replay for a subscription, until {@link #end}.
     *
     * @return null, or the reply if it cannot run; then nothing is taken
     */
    RpcReply.@Nullable Failure take(StreamBlock first, Subscription subscription) {
        BlockLink top = subscription.top();
        if (top != null && top.number() - first.link().number() > form.maxBlocks()) {
            return KindDialect.failure(form.tooEarly());
        }
        if (!slots.tryAcquire()) {
            meters.refused();
            return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                    "too many subscriptions get earlier blocks (expected: at most " + MAX_REPLAYS + ")"));
        }
        running.add(subscription);
        return null;
    }

    /** Gives back the place of a subscription, if it has one. */
    void end(Subscription subscription) {
        if (running.remove(subscription)) {
            slots.release();
        }
    }

    /** Begins a replay, for which a place was taken, after the answer to its subscription. */
    void begin(StreamBlock first, Subscription subscription, LoopSubscriptions own) {
        BlockLink top = subscription.top();
        Replay replay = new Replay(subscription, own, top == null ? first.link() : top);
        loop.execute(() -> replay.run(first.link()));
    }

    /** One replay. Confined to the event loop of the stream. */
    private final class Replay implements BlockListener {

        private final Subscription subscription;
        private final LoopSubscriptions own;
        private final BlockLink top;
        private final Queue<StreamBlock> earlier = new ArrayDeque<>();

        Replay(Subscription subscription, LoopSubscriptions own, BlockLink top) {
            this.subscription = subscription;
            this.own = own;
            this.top = top;
        }

        void run(BlockLink first) {
            if (first.number() > top.number()) {
                // The stream will tell it.
                deliver();
                return;
            }
            BlockLink before = new BlockLink(first.number() - 1, first.parentHash(), "");
            new ChainStream(before, blocks, new LoopTimer(loop), this, form.maxBlocks() + 2, GapPatience.MAX_NANOS)
                    .advance(top);
        }

        @Override
        public void added(StreamBlock block) {
            earlier.add(block);
            if (block.link().hash().equals(top.hash())) {
                deliver();
            }
        }

        private void deliver() {
            LogCriteria criteria = subscription.criteria();
            if (criteria != null) {
                StreamTimer timer = new LoopTimer(loop);
                new EventReplay(subscription, criteria, own, logs, timer, this::done).run(earlier);
                return;
            }
            Queue<byte[]> headers = new ArrayDeque<>();
            earlier.forEach(block -> headers.add(block.header().toBytes()));
            long deadline = System.nanoTime() + GapPatience.MAX_NANOS;
            own.submit(() -> own.catchUp(subscription, headers, deadline, this::done));
        }

        /** Opens the subscription, if it goes on. Runs on the event loop of its connection. */
        private void done(boolean goesOn) {
            if (goesOn) {
                own.open(subscription);
            }
            end(subscription);
        }

        /** Handles that the chain has changed below the first block, of which the client does not know. */
        @Override
        public void removed(BlockLink block) {}

        @Override
        public void lost(String reason) {
            own.submit(() -> own.lose(subscription, reason));
        }
    }
}
