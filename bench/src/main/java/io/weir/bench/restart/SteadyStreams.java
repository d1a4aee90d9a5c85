package io.weir.bench.restart;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.subscription.client.Journal;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls over HTTP/2 at a constant rate, several at once on a connection, which stays open until the proxy ends it. Each answer is
 * checked. Thread-safe.
 */
final class SteadyStreams {

    /** The number of calls that leave at once on one connection. */
    private static final int AT_ONCE = 5;

    private final EventLoop loop;
    private final Target target;
    private final List<StreamClient> clients;
    private final double perSecond;
    private final long patienceMillis;
    private final EarlyBlocks blocks;
    private final Journal journal;
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Future<?> timer;
    private long places;
    private int turns;
    private int open;
    private boolean over;

    /**
     * Creates a load that does not run.
     *
     * @param patienceMillis time in which an answer must come
     */
    SteadyStreams(EventLoop loop, Target target, Rate rate, EarlyBlocks blocks, long patienceMillis, Journal journal) {
        this.loop = loop;
        this.target = target;
        this.clients = Stream.generate(() -> new StreamClient(loop, target))
                .limit(rate.connections())
                .toList();
        this.perSecond = rate.perSecond();
        this.blocks = blocks;
        this.patienceMillis = patienceMillis;
        this.journal = journal;
    }

    /**
     * The extent of a load. Immutable.
     *
     * @param perSecond calls of all connections together
     */
    record Rate(int connections, double perSecond) {}

    void start() {
        long pauseNanos = (long) (TimeUnit.SECONDS.toNanos(1) * AT_ONCE / perSecond);
        loop.execute(() -> timer = loop.scheduleAtFixedRate(this::turn, 0, pauseNanos, TimeUnit.NANOSECONDS));
    }

    private void turn() {
        StreamClient client = clients.get(turns++ % clients.size());
        for (int i = 0; i < AT_ONCE; i++) {
            call(client, places++);
        }
    }

    private void call(StreamClient client, long place) {
        byte[] body = blocks.calls().body(place);
        Call call = new Call();
        open++;
        call.late = loop.schedule(
                () -> call.end("no answer within " + patienceMillis + " ms"), patienceMillis, TimeUnit.MILLISECONDS);
        client.call(
                body,
                (answer, failure) ->
                        call.end(answer == null ? failure : blocks.check().problem(body, answer)));
    }

    /** A call on its way. Confined to the event loop. */
    private final class Call {

        private @Nullable Future<?> late;
        private boolean isOver;

        void end(@Nullable String problem) {
            if (isOver) {
                return;
            }
            isOver = true;
            open--;
            if (late != null) {
                late.cancel(false);
            }
            if (problem == null) {
                answered.increment();
            } else {
                failed.increment();
                journal.violated("a call over HTTP/2 failed at " + target + ": " + problem);
            }
            endIfDone();
        }
    }

    private void endIfDone() {
        if (over && open == 0) {
            clients.forEach(StreamClient::close);
            ended.countDown();
        }
    }

    /** Returns how many calls were answered. */
    long answered() {
        return answered.sum();
    }

    /** Returns how many calls failed, for want of a connection too. */
    long failed() {
        return failed.sum();
    }

    /** Makes no more calls, and waits for the answers. */
    void end() throws InterruptedException {
        loop.execute(() -> {
            over = true;
            if (timer != null) {
                timer.cancel(false);
            }
            endIfDone();
        });
        ended.await();
    }

    /** Returns the clients, which nobody uses after the {@link #end}. */
    List<StreamClient> clients() {
        return clients;
    }
}
