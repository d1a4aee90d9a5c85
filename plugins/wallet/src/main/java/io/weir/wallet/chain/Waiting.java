package io.weir.wallet.chain;

import io.weir.api.RpcException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for stages, on threads that may block. Thread-safe. */
public final class Waiting {
    /** JSON-RPC: an error of the server's own choosing. */
    private static final int GIVEN_UP = -32000;

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
            throw new RpcException(GIVEN_UP, "the call was given up");
        } catch (ExecutionException e) {
            throw unwrapped(e);
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
