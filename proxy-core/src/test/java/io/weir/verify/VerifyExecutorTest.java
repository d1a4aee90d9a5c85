package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VerifyExecutorTest {

    private static final int QUEUE = 89;

    private final VerifyExecutor executor = new VerifyExecutor(QUEUE, 1_000);
    private final CountDownLatch held = new CountDownLatch(1);
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        held.countDown();
        executor.close();
    }

    private void hold() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        assertThat(executor.tryRun("holder", 0, () -> {
                    begun.countDown();
                    try {
                        held.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }))
                .isTrue();
        begun.await();
    }

    private boolean run(String holder, String name) {
        return executor.tryRun(holder, 1, () -> ran.add(name));
    }

    @Test
    void thoseForWhomTasksRunTakeTurns() throws InterruptedException {
        hold();
        for (int i = 1; i <= 3; i++) {
            run("a", "a" + i);
        }
        run("b", "b1");
        held.countDown();
        await().until(executor::isIdle);
        assertThat(ran).containsExactly("a1", "b1", "a2", "a3");
    }

    @Test
    void oneHolderLeavesPlacesForOthers() throws InterruptedException {
        hold();
        int taken = 0;
        while (run("a", "a")) {
            taken++;
        }
        assertThat(taken).isBetween(QUEUE * 8 / 9 - 1, QUEUE * 8 / 9 + 1);
        assertThat(run("b", "b")).isTrue();
        held.countDown();
        await().until(executor::isIdle);
        assertThat(ran).hasSize(taken + 1);
        assertThat(run("a", "again")).isTrue();
    }

    @Test
    void bytesOverTheBoundAreRefusedUnlessTheyAreAlone() throws InterruptedException {
        hold();
        assertThat(executor.tryRun("a", 2_000, () -> ran.add("large")))
                .as("alone")
                .isTrue();
        assertThat(executor.tryRun("b", 1, () -> ran.add("small"))).isFalse();
        held.countDown();
        await().until(executor::isIdle);
        assertThat(ran).containsExactly("large");
        assertThat(executor.tryRun("b", 1, () -> ran.add("small"))).isTrue();
    }

    @Test
    void oneHolderLeavesBytesForOthers() throws InterruptedException {
        hold();
        int taken = 0;
        while (executor.tryRun("a", 20, () -> ran.add("a"))) {
            taken++;
        }
        assertThat(taken).isBetween(43, 45);
        assertThat(executor.tryRun("b", 100, () -> ran.add("b"))).isTrue();
        held.countDown();
        await().until(executor::isIdle);
        assertThat(ran).hasSize(taken + 1);
    }

    @Test
    void aTaskThatIsRefusedBecauseOfTheEndNeverRuns() throws InterruptedException {
        hold();
        executor.close();
        assertThat(run("a", "late")).isFalse();
        held.countDown();
        await().until(executor::isIdle);
        assertThat(ran).isEmpty();
    }

    @Test
    void aTaskThatFailsGivesBackItsPlaceAndBytes() {
        executor.tryRun("a", 900, () -> {
            throw new IllegalStateException("of this test");
        });
        await().until(executor::isIdle);
        await().until(() -> executor.tryRun("b", 900, () -> ran.add("b")));
        await().until(executor::isIdle);
        assertThat(ran).containsExactly("b");
    }
}
