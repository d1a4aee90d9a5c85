package io.weir.bench.load.work;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.Wrk;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.Tool;
import io.weir.bench.load.traffic.Traffic;
import io.weir.bench.load.traffic.TrafficSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * As many requests as a server answers. If wrk drives, a connection of our own driver calls some times a second beside it and
 * checks the answers. If our own driver drives, it checks all. Confined to the run's thread.
 */
final class Load {

    private static final double CHECKED_PER_SECOND = 20;
    private static final double CHECKED_BYTES_PER_SECOND = 10e6;
    private static final double LEAST_SHARE_OF_BYTES = 0.9;
    private static final int SAMPLES = 500;

    private final Session session;
    private final boolean byWrk;

    /** Loads with wrk where it is wanted and there. */
    Load(Session session, boolean wrkWanted) {
        this.session = session;
        this.byWrk = wrkWanted && Tool.WRK.isThere();
        if (wrkWanted && !byWrk) {
            session.journal()
                    .skip("wrk", Tool.WRK.missing() + "; our own driver drives, which takes more of its processor");
        }
    }

    /** Loads a server for a time. */
    Outcome run(RunningServer server, TrafficSource traffic, int connections, Duration time)
            throws IOException, InterruptedException {
        if (!byWrk) {
            return session.driver().http(server.http(), traffic.next(), LoadPlan.closed(connections, time));
        }
        Traffic load = traffic.next();
        Wrk wrk = new Wrk(session.workshop());
        double bytes = bytes(load);
        double checkedPerSecond = Math.min(CHECKED_PER_SECOND, CHECKED_BYTES_PER_SECOND / bytes);
        CompletableFuture<Outcome> driven = CompletableFuture.supplyAsync(() -> {
            try {
                return wrk.load(server.http(), load, connections, time, bytes * LEAST_SHARE_OF_BYTES);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        Outcome checked =
                session.driver().http(server.http(), traffic.next(), LoadPlan.samples(checkedPerSecond, time));
        try {
            return together(driven.get(), checked);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private static Outcome together(Outcome driven, Outcome checked) {
        String problem = checked.firstProblem() == null ? driven.firstProblem() : checked.firstProblem();
        return new Outcome(
                driven.requests(), driven.problems() + checked.problems(), problem, driven.time(), null, null);
    }

    /** Of an answer in the mean. */
    private double bytes(Traffic traffic) {
        int samples = traffic instanceof Traffic.Sequence ? SAMPLES : 1;
        double sum = 0;
        for (int i = 0; i < samples; i++) {
            sum += session.check().expected(traffic.body(i)).length;
        }
        return sum / samples;
    }
}
