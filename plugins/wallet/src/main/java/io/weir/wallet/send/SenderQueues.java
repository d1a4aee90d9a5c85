package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.SnapErrors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Does one thing at a time for each sender on each chain, in the order asked, so that nonces follow one another. Waiting work
 * holds no thread. Thread-safe.
 */
public final class SenderQueues {
    /** The work that may wait for one sender. Behind more, callers would give up before their turn. */
    private static final int MAX_WAITING = 64;

    private final Executor executor;
    private final int maxWaiting;
    private final Map<Sender, Deque<Job<?>>> waiting = new HashMap<>();

    /** An account on a chain. Immutable. */
    public record Sender(Felt chainId, Felt address) {}

    /**
     * Makes queues.
     *
     * @param executor where things are done; its threads may block
     */
    public SenderQueues(Executor executor) {
        this(executor, MAX_WAITING);
    }

    SenderQueues(Executor executor, int maxWaiting) {
        this.executor = executor;
        this.maxWaiting = maxWaiting;
    }

    private final class Job<T> implements Runnable {
        private final Sender sender;
        private final Supplier<CompletionStage<T>> task;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        Job(Sender sender, Supplier<CompletionStage<T>> task) {
            this.sender = sender;
            this.task = task;
        }

        @Override
        public void run() {
            CompletionStage<T> stage;
            try {
                stage = task.get();
            } catch (RuntimeException | Error e) {
                stage = CompletableFuture.failedStage(e);
            }
            stage.whenComplete((value, failure) -> {
                // The next one begins before anybody learns of this one's end and asks for more.
                beginNext(sender);
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        }

        void begin() {
            try {
                executor.execute(this);
            } catch (RejectedExecutionException e) {
                beginNext(sender);
                result.completeExceptionally(e);
            }
        }
    }

    /**
     * Does something once all that was asked before for this sender has ended.
     *
     * @param task runs on the executor; the next one begins when its stage has ended
     * @throws RpcException when too many wait
     */
    public <T> CompletionStage<T> run(Sender sender, Supplier<CompletionStage<T>> task) {
        Job<T> job = new Job<>(sender, task);
        synchronized (waiting) {
            Deque<Job<?>> queue = waiting.get(sender);
            if (queue != null) {
                if (queue.size() >= maxWaiting) {
                    throw SnapErrors.busy("too many transactions of this account are waiting");
                }
                queue.add(job);
                return job.result;
            }
            waiting.put(sender, new ArrayDeque<>());
        }
        job.begin();
        return job.result;
    }

    private void beginNext(Sender sender) {
        Job<?> next;
        synchronized (waiting) {
            Deque<Job<?>> queue = waiting.get(sender);
            next = queue == null ? null : queue.poll();
            if (next == null) {
                waiting.remove(sender);
                return;
            }
        }
        next.begin();
    }
}
