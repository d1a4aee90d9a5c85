package io.weir.bench.restart;

import io.weir.bench.load.chain.CallText;
import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.OwnDriver;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Traffic;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.BlockText;
import io.weir.bench.subscription.client.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Calls for early blocks at a constant rate on connections that stay open. After each round all connections are opened anew, so that
 * new ones meet every state of the proxies too. Each answer is checked. Thread-safe.
 */
final class SteadyLoad {

    private final Target target;
    private final LoadPlan round;
    private final Journal journal;
    private final List<byte[]> bodies = new ArrayList<>();
    private final List<byte[]> results = new ArrayList<>();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Thread thread = new Thread(this::run, "load");
    private volatile boolean over;

    /** @param oldest some blocks of the chain, in order from its first one */
    SteadyLoad(Target target, int connections, double perSecond, Duration round, List<Block> oldest, Journal journal) {
        this.target = target;
        this.round = LoadPlan.constant(connections, perSecond, round);
        this.journal = journal;
        for (Block block : oldest) {
            String params = "[\"0x" + Long.toHexString(block.number()) + "\",true]";
            bodies.add(("{\"jsonrpc\":\"2.0\",\"id\":" + block.number()
                            + ",\"method\":\"eth_getBlockByNumber\",\"params\":" + params + "}")
                    .getBytes(StandardCharsets.ISO_8859_1));
            results.add(BlockText.block(block, true).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    void start() {
        thread.start();
    }

    private void run() {
        AnswerCheck check = new AnswerCheck(this::result);
        try (OwnDriver driver = new OwnDriver(check)) {
            while (!over) {
                Outcome outcome = driver.http(target, new Traffic.Sequence(bodies), round);
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

    /** The id of a call is the number of its block. */
    private byte[] result(CallText call) {
        return results.get(Integer.parseInt(call.id()));
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
