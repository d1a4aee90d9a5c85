package io.weir.bench.load.work;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.Calls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Three nodes, first healthy, then one answers after half a second and one with status 500. Measures the effect on clients and on
 * the nodes, at a constant rate that every server can keep. Wrong and missing answers are a figure while nodes are faulty, and no
 * defect of the run.
 */
final class FaultyNodes implements Workload {

    private static final double RATE = 200;
    private static final int SLOW = 1;
    private static final int BROKEN = 2;
    private static final double NANOS_PER_MICRO = 1000;

    @Override
    public String id() {
        return Workloads.FAULTY;
    }

    @Override
    public String title() {
        return "three nodes, one slow (500 ms), one failing (status 500), 200 small misses a second; before that all healthy";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        List<ServerName> names = List.of(ServerName.WEIR, ServerName.NGINX_PASS, ServerName.HAPROXY, ServerName.ERPC);
        Backing backing = new Backing(session.node().ports(), new byte[0]);
        List<RunningServer> running = session.start(id(), names, backing);
        try {
            for (RunningServer server : running) {
                compile(session, server);
            }
            turns(session, running, this::healthy);
            session.node().set(SLOW, "latency-ms=500");
            session.node().set(BROKEN, "error=true");
            turns(session, running, this::faulty);
        } finally {
            session.node().set(SLOW, "latency-ms=0");
            session.node().set(BROKEN, "error=false");
            session.end(running);
        }
    }

    /** As much load as the server takes: code that is compiled in the middle of a run would favour the later turns. */
    private void compile(Session session, RunningServer server) throws IOException, InterruptedException {
        for (Duration round : session.pace().warmRounds(server.name())) {
            session.problems(id(), server, 0, load(session, server, LoadPlan.closed(session.connections(), round)));
        }
    }

    /** Notes the figures of a turn. */
    private interface Figures {
        void add(Session session, RunningServer server, int turn, Outcome outcome)
                throws IOException, InterruptedException;
    }

    /** Turn 0 does not count: it lets the servers find out about their nodes. */
    private void turns(Session session, List<RunningServer> running, Figures figures)
            throws IOException, InterruptedException {
        for (int turn = 0; turn <= session.pace().turns(); turn++) {
            for (RunningServer server : ThroughputWorkload.rotated(running, turn)) {
                Duration time = turn == 0
                        ? session.pace().warm(server.name())
                        : session.pace().time();
                for (int node = 0; node < Session.NODES; node++) {
                    session.node().set(node, "reset=1");
                }
                Outcome outcome = load(session, server, LoadPlan.constant(session.connections(), RATE, time));
                if (turn > 0) {
                    figures.add(session, server, turn, outcome);
                }
            }
        }
    }

    private static Outcome load(Session session, RunningServer server, LoadPlan plan)
            throws IOException, InterruptedException {
        return session.driver()
                .http(server.http(), Calls.fresh(session.freshTurns().incrementAndGet()), plan);
    }

    private void healthy(Session session, RunningServer server, int turn, Outcome outcome)
            throws IOException, InterruptedException {
        session.add(id(), server, Metric.HEALTHY_P99, turn, micros(outcome, 99));
        session.add(id(), server, Metric.HEALTHY_NODE_CALLS_PER_CALL, turn, nodeCallsPerCall(session, outcome));
        session.problems(id(), server, turn, outcome);
    }

    private void faulty(Session session, RunningServer server, int turn, Outcome outcome)
            throws IOException, InterruptedException {
        session.add(id(), server, Metric.REQUESTS, turn, outcome.perSecond());
        session.add(id(), server, Metric.NODE_CALLS_PER_CALL, turn, nodeCallsPerCall(session, outcome));
        session.add(id(), server, Metric.P50, turn, micros(outcome, 50));
        session.add(id(), server, Metric.P99, turn, micros(outcome, 99));
        session.add(id(), server, Metric.PROBLEMS, turn, (double) outcome.problems());
        if (outcome.firstProblem() != null && server.name().isWeir()) {
            session.journal().problem(id(), server.name(), outcome.problems() + " times: " + outcome.firstProblem());
        }
    }

    private static double micros(Outcome outcome, double percentile) {
        return Objects.requireNonNull(outcome.latencies()).getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /** Counts clients' calls at all nodes, and none of the server's own calls. */
    private static double nodeCallsPerCall(Session session, Outcome outcome) throws IOException, InterruptedException {
        long atNodes = 0;
        for (int node = 0; node < Session.NODES; node++) {
            atNodes += session.node().counters(node).getOrDefault(Calls.FRESH_METHOD, 0L);
        }
        return (double) atNodes / Math.max(1, outcome.requests() + outcome.problems());
    }
}
