package io.weir.wallet.chain;

import io.weir.api.RpcException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Waits for stages and permits, on threads that may block. Thread-safe. */
public final class Waiting {
    private Waiting() {}

    /**
     * Waits for a stage and returns its result.
     *
     * @throws RpcException as the stage failed, or when the thread is interrupted
     */
    public static <T> T forResult(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SnapErrors.failed("the call was given up");
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /** Waits for a permit. Returns whether there was one in time; there is none for a thread that is interrupted. */
    public static boolean forPermit(Semaphore permits, long seconds) {
        try {
            return permits.tryAcquire(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The failure itself, out of what futures wrap it in. */
    public static RuntimeException unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof RuntimeException runtime ? runtime : new IllegalStateException(cause);
    }
}
