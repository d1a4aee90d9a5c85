package io.weir.bench.load.work;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.Calls;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * Three nodes of which one answers after half a second and one with status 500. Measures the effect on clients, at a constant
 * rate that every server can keep. Wrong and missing answers are a figure here, and no defect of the run.
 */
final class FaultyNodes implements Workload {

    private static final double RATE = 200;
    private static final int SLOW = 1;
    private static final int BROKEN = 2;

    @Override
    public String id() {
        return "faulty";
    }

    @Override
    public String title() {
        return "three nodes, one slow (500 ms), one failing (status 500), 200 small misses a second";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        List<ServerName> names = List.of(
                ServerName.WEIR, ServerName.NGINX_PASS, ServerName.HAPROXY, ServerName.ERPC, ServerName.RPC_GATEWAY);
        Backing backing = new Backing(session.node().ports(), new byte[0]);
        List<RunningServer> running = session.start(id(), names, backing);
        try {
            session.node().set(SLOW, "latency-ms=500");
            session.node().set(BROKEN, "error=true");
            for (int turn = 0; turn <= session.pace().turns(); turn++) {
                for (RunningServer server : ThroughputWorkload.rotated(running, turn)) {
                    turn(session, server, turn);
                }
            }
        } finally {
            session.node().set(SLOW, "latency-ms=0");
            session.node().set(BROKEN, "error=false");
            session.end(running);
        }
    }

    /** Turn 0 warms up, and lets the server find out about its nodes. */
    private void turn(Session session, RunningServer server, int turn) throws IOException, InterruptedException {
        LoadPlan plan = LoadPlan.constant(
                session.connections(),
                RATE,
                turn == 0 ? session.pace().warm(server.name()) : session.pace().time());
        Outcome outcome = session.driver()
                .http(server.http(), Calls.fresh(session.freshTurns().incrementAndGet()), plan);
        if (turn == 0) {
            return;
        }
        Histogram latencies = Objects.requireNonNull(outcome.latencies());
        session.add(id(), server, Metric.REQUESTS, turn, outcome.perSecond());
        session.add(id(), server, Metric.P50, turn, latencies.getValueAtPercentile(50) / 1e3);
        session.add(id(), server, Metric.P99, turn, latencies.getValueAtPercentile(99) / 1e3);
        session.add(id(), server, Metric.PROBLEMS, turn, (double) outcome.problems());
        if (outcome.firstProblem() != null && server.name().isWeir()) {
            session.journal().problem(id(), server.name(), outcome.problems() + " times: " + outcome.firstProblem());
        }
    }
}
