package io.weir.bench.restart;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.OwnDriver;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.subscription.client.Journal;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Calls over HTTP/1.1 at a constant rate on connections that stay open. After each round all connections are opened anew, so that
 * new ones meet every state of the proxies too. Each answer is checked. Thread-safe.
 */
final class SteadyLoad {

    private final Target target;
    private final LoadPlan round;
    private final EarlyBlocks blocks;
    private final Journal journal;
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Thread thread = new Thread(this::run, "load");
    private volatile boolean over;

    SteadyLoad(Target target, LoadPlan round, EarlyBlocks blocks, Journal journal) {
        this.target = target;
        this.round = round;
        this.blocks = blocks;
        this.journal = journal;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try (OwnDriver driver = new OwnDriver(blocks.check())) {
            while (!over) {
                Outcome outcome = driver.http(target, blocks.calls(), round);
                answered.add(outcome.requests());
                failed.add(outcome.problems());
                if (outcome.problems() > 0) {
                    journal.violated(outcome.problems() + " calls failed at " + target + "; the first: "
                            + outcome.firstProblem());
                }
            }
        } catch (IOException | RuntimeException e) {
            journal.violated("the load itself: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how many calls were answered. */
    long answered() {
        return answered.sum();
    }

    /** Returns how many calls failed, connections that were refused included. */
    long failed() {
        return failed.sum();
    }

    /** Waits for the end of the round. */
    void end() throws InterruptedException {
        over = true;
        thread.join();
    }
}
