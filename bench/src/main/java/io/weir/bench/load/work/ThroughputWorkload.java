package io.weir.bench.load.work;

import io.weir.bench.load.drive.H2load;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.ProcessFigures;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.server.Tool;
import io.weir.bench.load.traffic.Traffic;
import io.weir.bench.load.traffic.TrafficSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * Servers in turns, each with as many requests as it answers, and then, where percentiles are wanted, at half of that. Immutable.
 *
 * @param servers in the order of the table
 * @param connections 0 for the run's number
 * @param traffic made for a session
 * @param percentiles whether latencies are measured too
 * @param second whether h2load and, in a short run, wrk drive too
 */
record ThroughputWorkload(
        String id,
        String title,
        List<ServerName> servers,
        int connections,
        Function<Session, TrafficSource> traffic,
        boolean percentiles,
        boolean second)
        implements Workload {

    private static final double MEGA = 1e6;

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        TrafficSource source = traffic.apply(session);
        Traffic first = source.next();
        byte[] constant = session.check().expected(first.body(0));
        List<Integer> node = session.node().ports().subList(0, 1);
        List<RunningServer> running = session.start(id, servers, new Backing(node, constant));
        Load load = new Load(session, session.pace().full() || second);
        try {
            for (RunningServer server : running) {
                for (Duration round : session.pace().warmRounds(server.name())) {
                    session.problems(id, server, 0, load.run(server, source, connections(session), round));
                }
                server.program().resetPeak();
            }
            for (int turn = 1; turn <= session.pace().turns(); turn++) {
                for (RunningServer server : rotated(running, turn)) {
                    turn(session, load, source, server, turn);
                }
            }
            if (percentiles) {
                new Percentiles(session, id, source, connections(session)).measure(running);
            }
        } finally {
            session.end(running);
        }
    }

    private int connections(Session session) {
        return connections == 0 ? session.connections() : connections;
    }

    static List<RunningServer> rotated(List<RunningServer> servers, int turn) {
        List<RunningServer> rotated = new ArrayList<>(servers);
        Collections.rotate(rotated, -turn);
        return rotated;
    }

    private void turn(Session session, Load load, TrafficSource source, RunningServer server, int turn)
            throws IOException, InterruptedException {
        session.node().set(0, "reset=1");
        ProcessFigures before = server.program().figures();
        long start = System.nanoTime();
        Outcome outcome =
                load.run(server, source, connections(session), session.pace().time());
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        ProcessFigures after = server.program().figures();
        Traffic traffic = source.next();
        double calls = outcome.requests() * (double) traffic.calls();
        session.add(id, server, Metric.REQUESTS, turn, outcome.perSecond());
        if (traffic.calls() > 1) {
            session.add(id, server, Metric.CALLS, turn, outcome.perSecond() * traffic.calls());
        }
        double processor = after.processorTime().minus(before.processorTime()).toNanos() * 100.0 / took.toNanos();
        session.add(id, server, Metric.SERVER_PROCESSOR, turn, processor);
        double micros = after.microsPerRequest(before, outcome.requests());
        session.add(id, server, Metric.PROCESSOR_PER_REQUEST, turn, micros);
        session.add(id, server, Metric.NODE_CALLS_PER_CALL, turn, session.nodeCalls("") / Math.max(1, calls));
        session.add(id, server, Metric.RESIDENT, turn, after.residentBytes() / MEGA);
        session.add(id, server, Metric.PEAK, turn, after.peakBytes() / MEGA);
        session.problems(id, server, turn, outcome);
        if (second && traffic instanceof Traffic.Same same) {
            byH2load(session, same, server, turn);
        }
    }

    private void byH2load(Session session, Traffic.Same traffic, RunningServer server, int turn) throws IOException {
        if (!Tool.H2LOAD.isThere()) {
            session.journal().skip("h2load", Tool.H2LOAD.missing());
            return;
        }
        Outcome outcome = new H2load(session.workshop())
                .load(
                        server.http(),
                        traffic,
                        connections(session),
                        session.pace().time());
        session.add(id, server, Metric.H2LOAD_REQUESTS, turn, outcome.perSecond());
        session.problems(id, server, turn, outcome);
    }
}
