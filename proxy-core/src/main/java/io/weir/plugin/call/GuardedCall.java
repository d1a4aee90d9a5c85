package io.weir.plugin.call;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.api.RpcException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call into a plugin's code. It runs on the plugin's lane and ends exactly once, on its event loop, at its deadline at the
 * latest, whatever the code does: throw anything, return nothing, never return, complete twice or never. Begun on its event
 * loop; otherwise thread-safe.
 *
 * <p>At the deadline a thread that is still in the code is interrupted, which frees it where it sleeps or waits. The call keeps
 * its place in the lane until it is answered and its code has returned, so that code which ignores the interrupt fills its own
 * lane and nothing else.
 *
 * @param <V> what the code gives
 * @param <R> what is made of it, on whatever thread completes it
 */
final class GuardedCall<V, R> implements Runnable {

    private static final int MAX_WRAPPERS = 8;

    private final PluginRuntime quarters;
    private final EventLoop loop;
    private final Work<V, R> work;
    private final LongSupplier deadlineNanos;
    private final Consumer<Ending<R>> sink;
    /** Two hold the place in the lane: the answer and the code. */
    private final AtomicInteger holders = new AtomicInteger(2);

    private @Nullable ScheduledFuture<?> timer;
    private boolean ended;
    private @Nullable Thread runner;
    private boolean abandoned;
    private volatile boolean begun;

    /** The code to call. */
    interface Work<V, R> {
        /** What is called, for the log. */
        String name();

        /** Enters the plugin's code; on the lane. */
        @Nullable
        CompletionStage<V> enter() throws Exception;

        /** Makes of its value what the caller wants; throws what {@link #enter} may throw. */
        R convert(@Nullable V value) throws Exception;
    }

    /**
     * Prepares a call.
     *
     * @param deadlineNanos when it is given up, on the clock of {@link System#nanoTime}; may move while it runs
     * @param sink gets the ending once, on the loop
     */
    GuardedCall(
            PluginRuntime quarters,
            EventLoop loop,
            Work<V, R> work,
            LongSupplier deadlineNanos,
            Consumer<Ending<R>> sink) {
        this.quarters = quarters;
        this.loop = loop;
        this.work = work;
        this.deadlineNanos = deadlineNanos;
        this.sink = sink;
    }

    /** Begins; on the event loop. */
    void begin() {
        if (!quarters.lane().enter(this)) {
            ended = true;
            sink.accept(new Ending.Rejected<>());
            return;
        }
        watch(System.nanoTime());
    }

    private void watch(long now) {
        timer = loop.schedule(this::checkDeadline, deadlineNanos.getAsLong() - now, TimeUnit.NANOSECONDS);
    }

    private void checkDeadline() {
        long now = System.nanoTime();
        if (ended) {
            return;
        }
        if (deadlineNanos.getAsLong() - now > 0) {
            watch(now);
            return;
        }
        abandon(new Ending.Late<>(begun));
    }

    /** Ends it from outside, before its code has; on the event loop. */
    void abandon(Ending<R> ending) {
        if (ended) {
            return;
        }
        if (quarters.lane().withdraw(this)) {
            letGo();
        }
        synchronized (this) {
            abandoned = true;
            if (runner != null) {
                runner.interrupt();
            }
        }
        end(ending);
    }

    /** Runs the code; on the lane. */
    @Override
    public void run() {
        synchronized (this) {
            if (abandoned) {
                letGo();
                return;
            }
            runner = Thread.currentThread();
        }
        begun = true;
        try {
            CompletionStage<V> stage = work.enter();
            if (stage == null) {
                throw new IllegalStateException("it returned null (expected: a stage)");
            }
            stage.whenComplete(this::completed);
        } catch (Throwable e) {
            conclude(ending(e));
        } finally {
            synchronized (this) {
                runner = null;
            }
            letGo();
        }
    }

    private void completed(@Nullable V value, @Nullable Throwable failure) {
        Ending<R> ending;
        try {
            ending = failure == null ? new Ending.Value<>(work.convert(value)) : ending(failure);
        } catch (Throwable e) {
            ending = ending(e);
        }
        conclude(ending);
    }

    private void conclude(Ending<R> ending) {
        try {
            loop.execute(() -> end(ending));
        } catch (RejectedExecutionException ignored) {
            // The loop has shut down, and with it the connection that waited for the answer.
        }
    }

    private void end(Ending<R> ending) {
        if (ended) {
            return;
        }
        ended = true;
        if (timer != null) {
            timer.cancel(false);
        }
        letGo();
        sink.accept(ending);
    }

    private void letGo() {
        if (holders.decrementAndGet() == 0) {
            quarters.lane().leave();
        }
    }

    private Ending<R> ending(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_WRAPPERS && isWrapper(cause) && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        if (cause instanceof RpcException refusal) {
            try {
                return new Ending.Refusal<>(quarters.trees().error(refusal));
            } catch (Throwable unwritable) {
                return broken(unwritable);
            }
        }
        return broken(cause);
    }

    /** Told here and not on the event loop: an exception's text is code of the plugin's too. */
    private Ending<R> broken(Throwable cause) {
        quarters.log().failed(work.name(), cause);
        return new Ending.Broken<>(cause);
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException;
    }
}
