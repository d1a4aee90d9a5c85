package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.LoopSubscriptions.CaughtUp;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.ChainStream;
import io.weir.subscription.stream.GapPatience;
import io.weir.subscription.stream.LogCriteria;
import io.weir.subscription.stream.LogIndex;
import io.weir.subscription.stream.LogStream;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamTimer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Earlier blocks, or their events, for subscriptions that begin before the head. They reach from the block that the client names up to
 * the one after which the subscription joined the stream, each the parent of the next. Thread-safe.
 */
final class BlockReplays {

    /** Time between two looks at the chain, which may be shorter than at first for a while. */
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Replays of one network at the same time. Each holds at most the headers that a client may ask for. */
    private static final int MAX_REPLAYS = 16;

    private final EventLoop loop;
    private final StreamBlocks blocks;
    private final ChainStream.Links chain;
    private final LogStream.Source logs;
    private final SubscriptionForm.Start form;
    private final SubscriptionMeters meters;
    private final Semaphore slots = new Semaphore(MAX_REPLAYS);
    private final Set<Subscription> running = ConcurrentHashMap.newKeySet();

    /**
     * @param loop the event loop of the stream
     * @param logs source of the events of blocks
     */
    BlockReplays(
            EventLoop loop,
            StreamBlocks blocks,
            ChainStream.Links chain,
            LogStream.Source logs,
            SubscriptionForm.Start form,
            SubscriptionMeters meters) {
        this.loop = loop;
        this.blocks = blocks;
        this.chain = chain;
        this.logs = logs;
        this.form = form;
        this.meters = meters;
    }

    /** Finds the block that a client names. The sink receives it, or the reply if there is none, on the event loop of the stream. */
    void find(BlockSelector start, BiConsumer<@Nullable StreamBlock, RpcReply.@Nullable Failure> sink) {
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
            return SubscriptionDialect.failure(form.tooEarly());
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
    private final class Replay implements ChainStream.Listener {

        private final Subscription subscription;
        private final LoopSubscriptions own;
        private final BlockLink top;
        private final Deque<StreamBlock> earlier = new ArrayDeque<>();
        private @Nullable ChainStream stream;

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
            int most = form.maxBlocks() + ChainStream.MAX_GAP;
            ChainStream begun =
                    new ChainStream(before, chain, blocks, StreamTimer.of(loop), this, most, GapPatience.MAX_NANOS);
            stream = begun;
            goOn(begun);
        }

        /** Goes on with the chain, as long as the subscription waits. */
        private void goOn(ChainStream begun) {
            if (begun == stream && !running.contains(subscription)) {
                stop();
            }
            if (begun == stream) {
                begun.advance();
                loop.schedule(() -> goOn(begun), STEP_NANOS, TimeUnit.NANOSECONDS);
            }
        }

        private void stop() {
            ChainStream begun = stream;
            stream = null;
            if (begun != null) {
                begun.close();
            }
        }

        @Override
        public void added(StreamBlock block) {
            earlier.add(block);
            if (block.link().number() < top.number()) {
                return;
            }
            stop();
            if (block.link().hash().equals(top.hash())) {
                deliver();
            } else {
                lost("the chain was reorganised", top);
            }
        }

        private void deliver() {
            LogCriteria criteria = subscription.criteria();
            if (criteria != null) {
                StreamTimer timer = StreamTimer.of(loop);
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

        @Override
        public void removed(BlockLink block) {
            StreamBlock last = earlier.peekLast();
            if (last != null && last.link().hash().equals(block.hash())) {
                earlier.removeLast();
            }
        }

        @Override
        public void lost(String reason, BlockLink newest) {
            own.submit(() -> own.lose(subscription, reason));
        }
    }

    /**
     * Events of earlier blocks for one subscription, in order. Those of a few blocks are in memory at the same time, because a client may
     * read slowly. Confined to the event loop of the stream.
     */
    private static final class EventReplay implements LogStream.Listener {

        /** Blocks whose events are requested, or wait until the client has read those of earlier ones. */
        private static final int MAX_AHEAD = 4;

        private final Subscription subscription;
        private final LoopSubscriptions own;
        private final StreamTimer timer;
        private final CaughtUp end;
        private final LogIndex<Subscription> index = new LogIndex<>();
        private final LogStream logs;
        private final Queue<StreamBlock> coming = new ArrayDeque<>();
        private final Queue<Queue<byte[]>> ready = new ArrayDeque<>();
        private Queue<byte[]> texts = new ArrayDeque<>();
        private int ahead;
        private boolean sending;
        private boolean over;

        /**
         * @param own the subscriptions of its event loop
         * @param timer of the event loop of the stream; thread-safe
         * @param end called once on the event loop of the connection, unless that is closed
         */
        EventReplay(
                Subscription subscription,
                LogCriteria criteria,
                LoopSubscriptions own,
                LogStream.Source source,
                StreamTimer timer,
                CaughtUp end) {
            this.subscription = subscription;
            this.own = own;
            this.timer = timer;
            this.end = end;
            index.add(criteria, subscription);
            this.logs = new LogStream(source, timer, this, 0);
            logs.count(criteria, 1);
        }

        /** Begins with these blocks, each the parent of the next. */
        void run(Queue<StreamBlock> blocks) {
            coming.addAll(blocks);
            goOn();
        }

        private void goOn() {
            while (ahead < MAX_AHEAD && !coming.isEmpty()) {
                ahead++;
                logs.added(coming.remove());
            }
            if (ahead == 0) {
                own.submit(() -> end.done(true));
            } else {
                send();
            }
        }

        private void send() {
            if (sending || over || ready.isEmpty()) {
                return;
            }
            sending = true;
            Queue<byte[]> next = ready.remove();
            long deadline = timer.now() + GapPatience.MAX_NANOS;
            own.submit(() -> own.catchUp(subscription, next, deadline, this::caughtUp));
        }

        /** Runs on the event loop of the connection. */
        private void caughtUp(boolean goesOn) {
            if (goesOn) {
                timer.after(0, this::sent);
            } else {
                end.done(false);
            }
        }

        private void sent() {
            sending = false;
            ahead--;
            goOn();
        }

        @Override
        public void added(BlockLogs of, long sequence) {
            for (int i = 0; i < of.size(); i++) {
                byte[] text = of.text(i);
                index.match(of, i, any -> texts.add(text));
            }
        }

        /** Handles nothing: earlier blocks are replaced in the stream only. */
        @Override
        public void removed(BlockLogs of, long sequence) {}

        @Override
        public void passed(BlockLink block) {
            ready.add(texts);
            texts = new ArrayDeque<>();
            send();
        }

        @Override
        public void lost(String reason) {
            over = true;
            own.submit(() -> own.lose(subscription, reason));
        }
    }
}
