package io.weir.metrics;

import io.netty.util.internal.OutOfDirectMemoryError;
import org.jspecify.annotations.Nullable;

/**
 * Tells the program of an {@link OutOfMemoryError}, wherever one is caught. A process whose heap was exhausted cannot be trusted:
 * a timer, a connection or a lock may be lost. Thread-safe.
 */
public final class OutOfMemory {

    private static final int MAX_CAUSES = 16;

    private static volatile @Nullable Runnable action;

    private OutOfMemory() {}

    /**
     * Sets what runs when memory has run out; null for nothing, as it is at first.
     *
     * @param ending runs on the thread that saw the error, and should need no memory
     */
    public static void whenSeen(@Nullable Runnable ending) {
        action = ending;
    }

    /** Runs the action if a failure, or one of its causes, says that memory has run out. */
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

    /** Netty's own bound on direct memory leaves the heap untouched: what asked for it fails, and nothing else. */
    private static boolean isFatal(Throwable failure) {
        return failure instanceof OutOfMemoryError && !(failure instanceof OutOfDirectMemoryError);
    }

    /** Runs a task for somebody who keeps its failures to himself. */
    public static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            check(e);
            throw e;
        }
    }
}
