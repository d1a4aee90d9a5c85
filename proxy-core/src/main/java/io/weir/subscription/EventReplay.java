package io.weir.subscription;

import io.weir.chain.BlockLink;
import io.weir.subscription.chain.GapPatience;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.chain.StreamTimer;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.LoopSubscriptions.CaughtUp;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.log.BlockLogs;
import io.weir.subscription.log.LogCriteria;
import io.weir.subscription.log.LogIndex;
import io.weir.subscription.log.LogInterest;
import io.weir.subscription.log.LogListener;
import io.weir.subscription.log.LogSource;
import io.weir.subscription.log.LogStream;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Events of earlier blocks for one subscription, in order. Those of a few blocks are in memory at the same time, because a client may
 * read slowly. Confined to the event loop of the stream.
 */
final class EventReplay implements LogListener {

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
            LogSource source,
            StreamTimer timer,
            CaughtUp end) {
        this.subscription = subscription;
        this.own = own;
        this.timer = timer;
        this.end = end;
        index.add(criteria, subscription);
        LogInterest interest = new LogInterest();
        interest.add(criteria);
        this.logs = new LogStream(interest, source, timer, this, 0);
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
