package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.send.SenderQueues.Sender;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SenderQueuesTest {
    private static final Sender ONE = new Sender(Felt.ONE, Felt.of(1));
    private static final Sender OTHER = new Sender(Felt.ONE, Felt.of(2));

    private final Deque<Runnable> executor = new ArrayDeque<>();
    private final SenderQueues queues = new SenderQueues(executor::add, 2);
    private final List<String> done = new ArrayList<>();

    private void work() {
        while (!executor.isEmpty()) {
            executor.remove().run();
        }
    }

    private CompletableFuture<String> ask(Sender sender, String name, CompletableFuture<String> end) {
        return queues.run(sender, () -> {
                    done.add(name);
                    return end;
                })
                .toCompletableFuture();
    }

    @Test
    void whatOneSenderAsksIsDoneInOrderAndOneAtATime() {
        CompletableFuture<String> first = new CompletableFuture<>();
        ask(ONE, "a", first);
        CompletableFuture<String> second = ask(ONE, "b", CompletableFuture.completedFuture("B"));
        ask(OTHER, "x", new CompletableFuture<>());
        work();
        assertThat(done).containsExactly("a", "x");
        first.complete("A");
        work();
        assertThat(done).containsExactly("a", "x", "b");
        assertThat(second).isCompletedWithValue("B");
    }

    @Test
    void aFailureEndsOnlyItsOwnTask() {
        CompletableFuture<Object> failing = queues.run(ONE, () -> {
                    throw new IllegalStateException("no");
                })
                .toCompletableFuture();
        CompletableFuture<String> next = ask(ONE, "b", CompletableFuture.completedFuture("B"));
        work();
        assertThat(failing).isCompletedExceptionally();
        assertThat(next).isCompletedWithValue("B");
    }

    @Test
    void noMoreWaitThanTheBound() {
        ask(ONE, "a", new CompletableFuture<>());
        ask(ONE, "b", new CompletableFuture<>());
        ask(ONE, "c", new CompletableFuture<>());
        assertThatThrownBy(() -> ask(ONE, "d", new CompletableFuture<>())).isInstanceOf(RpcException.class);
        ask(OTHER, "x", new CompletableFuture<>());
        work();
        assertThat(done).containsExactly("a", "x");
    }

    @Test
    void anExecutorThatTakesNothingFailsTheTaskAndNotTheQueue() {
        boolean[] closed = {true};
        SenderQueues stubborn = new SenderQueues(
                task -> {
                    if (closed[0]) {
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                },
                2);
        assertThat(stubborn.run(ONE, () -> CompletableFuture.completedFuture("A"))
                        .toCompletableFuture())
                .isCompletedExceptionally();
        closed[0] = false;
        assertThat(stubborn.run(ONE, () -> CompletableFuture.completedFuture("B"))
                        .toCompletableFuture())
                .isCompletedWithValue("B");
    }
}
