package io.weir.subscription.log;

import io.weir.chain.BlockLink;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.chain.StreamTimer;
import io.weir.subscription.log.LogInterest.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ordered stream of the logs of one network's blocks. Logs are fetched only if a subscription may want one of them. A block
 * waits for the logs of the blocks before it. Confined to the event loop of the stream.
 */
public final class LogStream {

    /** Bytes of the logs that are kept in case their block is removed. */
    private static final long MAX_KEPT_BYTES = 64L << 20;

    private static final long MIN_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LogInterest interest;
    private final LogSource source;
    private final StreamTimer timer;
    private final LogListener listener;
    private final int maxBlocks;
    private final long gapNanos;
    /** Blocks whose logs are not told yet, in order. */
    private final Deque<StreamBlock> waiting = new ArrayDeque<>();
    /** Logs that were told, the oldest first. */
    private final Deque<Told> told = new ArrayDeque<>();

    private long keptBytes;
    private long sequence;
    /** Number of the newest block whose logs were told and have been dropped; -1 if there is none. */
    private long forgotten = -1;

    private @Nullable Fetch current;
    private boolean going;

    private record Told(BlockLogs logs, long sequence) {}

    /**
     * Creates a stream of no logs.
     *
     * @param maxBlocks the number of blocks whose logs are kept in case they are removed
     * @param gapNanos time after which logs that no node gives count as unknown
     */
    public LogStream(
            LogInterest interest,
            LogSource source,
            StreamTimer timer,
            LogListener listener,
            int maxBlocks,
            long gapNanos) {
        this.interest = interest;
        this.source = source;
        this.timer = timer;
        this.listener = listener;
        this.maxBlocks = maxBlocks;
        this.gapNanos = gapNanos;
    }

    /** Returns the sequence number of the last logs. */
    public long sequence() {
        return sequence;
    }

    /** Takes the next block. */
    public void added(StreamBlock block) {
        waiting.addLast(block);
        next();
    }

    /** Takes back the newest block. */
    public void removed(BlockLink block) {
        StreamBlock newest = waiting.peekLast();
        Told last = told.peekLast();
        if (newest != null) {
            if (current != null && current.block.equals(newest)) {
                current = null;
            }
            waiting.removeLast();
        } else if (last != null && last.logs.block().hash().equals(block.hash())) {
            told.removeLast();
            keptBytes -= last.logs.bytes();
            listener.removed(last.logs, last.sequence);
        } else if (block.number() <= forgotten) {
            forgotten = -1;
            listener.lost("a reorganisation was too deep");
        }
    }

    /** Forgets everything, because the stream of blocks begins anew. */
    public void restart() {
        current = null;
        waiting.clear();
        told.clear();
        keptBytes = 0;
        forgotten = -1;
    }

    /** Goes on with the first waiting block. Answers that come at once do not recurse. */
    private void next() {
        if (going) {
            return;
        }
        going = true;
        try {
            goOn();
        } finally {
            going = false;
        }
    }

    private void goOn() {
        while (current == null && !waiting.isEmpty()) {
            StreamBlock block = waiting.getFirst();
            Scope scope = interest.scope(block);
            if (scope instanceof Scope.None) {
                waiting.removeFirst();
            } else {
                current = new Fetch(block, scope, timer.now());
                current.ask();
            }
        }
    }

    private void tell(BlockLogs logs) {
        if (logs.size() == 0) {
            return;
        }
        Told next = new Told(logs, ++sequence);
        told.addLast(next);
        keptBytes += logs.bytes();
        while (!told.isEmpty() && (keptBytes > MAX_KEPT_BYTES || isOld(told.getFirst(), logs))) {
            Told oldest = told.removeFirst();
            keptBytes -= oldest.logs.bytes();
            forgotten = oldest.logs.block().number();
        }
        listener.added(logs, sequence);
    }

    private boolean isOld(Told oldest, BlockLogs newest) {
        return oldest.logs.block().number() <= newest.block().number() - maxBlocks;
    }

    /** Fetch of the logs of the first waiting block. Confined to the event loop of its stream. */
    private final class Fetch {

        private final StreamBlock block;
        private final long beganNanos;
        private Scope scope;
        private long retryNanos = MIN_RETRY_NANOS;

        Fetch(StreamBlock block, Scope scope, long beganNanos) {
            this.block = block;
            this.scope = scope;
            this.beganNanos = beganNanos;
        }

        void ask() {
            source.fetch(block.link(), LogInterest.addresses(scope), this::took);
        }

        private boolean isOver() {
            return current != this;
        }

        private void took(@Nullable BlockLogs logs) {
            if (isOver()) {
                return;
            }
            if (logs == null) {
                failed();
                return;
            }
            Scope now = interest.scope(block);
            if (!scope.covers(now)) {
                // A subscription that wants more was added in the meantime.
                scope = now;
                ask();
                return;
            }
            end();
            tell(logs);
            next();
        }

        private void end() {
            current = null;
            waiting.removeFirst();
        }

        private void failed() {
            if (timer.now() - beganNanos >= gapNanos) {
                end();
                listener.lost("no node gave the logs of a block in time");
                next();
                return;
            }
            long pause = retryNanos;
            retryNanos = Math.min(MAX_RETRY_NANOS, retryNanos * 2);
            timer.after(pause, () -> {
                if (!isOver()) {
                    repeat();
                }
            });
        }

        private void repeat() {
            scope = interest.scope(block);
            if (scope instanceof Scope.None) {
                end();
                next();
            } else {
                ask();
            }
        }
    }
}
