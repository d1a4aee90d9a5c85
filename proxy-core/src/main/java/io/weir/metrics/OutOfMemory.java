package io.weir.metrics;

import io.netty.util.internal.OutOfDirectMemoryError;
import org.jspecify.annotations.Nullable;

/**
 * The reaction to an {@link OutOfMemoryError} wherever code catches one. A process whose heap was exhausted cannot be
 * trusted: a timer, a connection or a lock may be lost. Thread-safe.
 */
public final class OutOfMemory {

    private static final int MAX_CAUSES = 16;

    /** Loaded with this class, because a class cannot be loaded without memory. */
    private static final Class<?> OUT_OF_DIRECT_MEMORY = OutOfDirectMemoryError.class;

    private static volatile @Nullable Runnable action;

    private OutOfMemory() {}

    /**
     * Sets the action for an exhausted memory; null for none, as at the start.
     *
     * @param ending runs on the thread that saw the error, and should need no memory
     */
    public static void whenSeen(@Nullable Runnable ending) {
        action = ending;
    }

    /** Runs the action if a failure, or one of its causes, reports exhausted memory. */
    public static void check(@Nullable Throwable failure) {
        Runnable ending = action;
        Throwable cause = failure;
        for (int i = 0; ending != null && cause != null && i < MAX_CAUSES; i++) {
            if (isFatal(cause)) {
                ending.run();
                return;
            }
            cause = cause.getCause();
        }
    }

    /** Netty's own bound on direct memory does not affect the heap. Only the request for memory fails. */
    private static boolean isFatal(Throwable failure) {
        return failure instanceof OutOfMemoryError && !OUT_OF_DIRECT_MEMORY.isInstance(failure);
    }

    /** Runs a task whose caller swallows failures, and checks them first. */
    public static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            check(e);
            throw e;
        }
    }
}
