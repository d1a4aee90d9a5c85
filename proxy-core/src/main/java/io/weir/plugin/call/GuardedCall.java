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
 * One call into a plugin's code. It runs in the plugin's bulkhead and ends exactly once, on its event loop, at its
 * deadline at the latest. The code may throw, return nothing, never return, complete twice or never. Begun on its event loop; otherwise thread-safe.
 *
 * <p>At the deadline a thread that is still in the code is interrupted, which frees it if it sleeps or waits. The call
 * counts in the bulkhead until it is answered and its code has returned. Code that ignores the interrupt thus fills
 * only its own bulkhead.
 *
 * @param <V> the value of the code
 * @param <R> the converted result, computed on the completing thread
 */
final class GuardedCall<V, R> implements Runnable {

    private static final int MAX_WRAPPERS = 8;

    private final PluginRuntime runtime;
    private final EventLoop loop;
    private final Work<V, R> work;
    private final LongSupplier deadlineNanos;
    private final Consumer<Ending<R>> sink;
    /** The call leaves the bulkhead after two events: its answer, and the return of its code. */
    private final AtomicInteger holders = new AtomicInteger(2);

    private @Nullable ScheduledFuture<?> timer;
    private boolean ended;
    private @Nullable Thread runner;
    private boolean abandoned;
    private volatile boolean begun;

    /** The code to call. */
    interface Work<V, R> {
        /** Returns the name of the called code, for the log. */
        String name();

        /** Returns the caller, who takes turns with others; empty for all readers of pages. */
        default Object caller() {
            return "";
        }

        /** Runs the plugin's code, in the bulkhead. */
        @Nullable
        CompletionStage<V> enter() throws Exception;

        /** Converts the value for the caller. May throw like {@link #enter}. */
        R convert(@Nullable V value) throws Exception;
    }

    /**
     * Prepares a call.
     *
     * @param deadlineNanos the deadline, on the clock of {@link System#nanoTime}; may move during the call
     * @param sink gets the ending once, on the loop
     */
    GuardedCall(
            PluginRuntime runtime,
            EventLoop loop,
            Work<V, R> work,
            LongSupplier deadlineNanos,
            Consumer<Ending<R>> sink) {
        this.runtime = runtime;
        this.loop = loop;
        this.work = work;
        this.deadlineNanos = deadlineNanos;
        this.sink = sink;
    }

    /** Begins the call, on the event loop. */
    void begin() {
        if (!runtime.bulkhead().enter(work.caller(), this)) {
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
        if (begun) {
            runtime.log().late(work.name());
        }
        abandon(new Ending.Late<>(begun));
    }

    /** Ends the call from outside, before its code has ended it, on the event loop. */
    void abandon(Ending<R> ending) {
        if (ended) {
            return;
        }
        if (runtime.bulkhead().withdraw(work.caller(), this)) {
            release();
        }
        synchronized (this) {
            abandoned = true;
            if (runner != null) {
                runner.interrupt();
            }
        }
        end(ending);
    }

    /** Runs the code, in the bulkhead. */
    @Override
    public void run() {
        synchronized (this) {
            if (abandoned) {
                release();
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
            release();
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
        release();
        sink.accept(ending);
    }

    private void release() {
        if (holders.decrementAndGet() == 0) {
            runtime.bulkhead().leave(work.caller());
        }
    }

    private Ending<R> ending(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_WRAPPERS && isWrapper(cause) && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        if (cause instanceof RpcException error) {
            try {
                return new Ending.ErrorReply<>(runtime.trees().error(error));
            } catch (Throwable unwritable) {
                return broken(unwritable);
            }
        }
        return broken(cause);
    }

    /** Logs here and not on the event loop, because the text of an exception is plugin code too. */
    private Ending<R> broken(Throwable cause) {
        runtime.log().failed(work.name(), cause);
        return new Ending.Broken<>(cause);
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException;
    }
}
