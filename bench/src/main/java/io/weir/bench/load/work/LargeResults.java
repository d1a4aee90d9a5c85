package io.weir.bench.load.work;

import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.ProcessFigures;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.load.traffic.TrafficSource;
import java.io.IOException;
import java.util.List;

/** Results of 10 MB, which nobody keeps: how many, and what memory they take. Few connections, so that the bounds hold them all. */
final class LargeResults implements Workload {

    private static final int CONNECTIONS = 8;
    private static final double MEGABYTES = 10.45;
    private static final double MEGA = 1e6;

    @Override
    public String id() {
        return "large";
    }

    @Override
    public String title() {
        return "results of 10 MB, 8 connections";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        TrafficSource source = () -> Calls.large(session.freshTurns().incrementAndGet());
        List<ServerName> names = List.of(
                ServerName.WEIR,
                ServerName.WEIR_OTHER,
                ServerName.WEIR_INSTALLED,
                ServerName.NGINX_PASS,
                ServerName.NETTY_PASS,
                ServerName.HAPROXY,
                ServerName.DIRECT);
        List<RunningServer> running =
                session.start(id(), names, new Backing(session.node().ports().subList(0, 1), new byte[0]));
        Load load = new Load(session, session.pace().full());
        try {
            for (RunningServer server : running) {
                session.problems(
                        id(),
                        server,
                        0,
                        load.run(server, source, CONNECTIONS, session.pace().warm(server.name())));
                server.program().resetPeak();
            }
            for (int turn = 1; turn <= session.pace().turns(); turn++) {
                for (RunningServer server : ThroughputWorkload.rotated(running, turn)) {
                    turn(session, load, source, server, turn);
                }
            }
        } finally {
            session.end(running);
        }
    }

    private void turn(Session session, Load load, TrafficSource source, RunningServer server, int turn)
            throws IOException, InterruptedException {
        if (server.adminPort() == 0) {
            loaded(session, load, source, server, turn);
            return;
        }
        try (AdminSampler sampler = new AdminSampler(server.adminPort())) {
            loaded(session, load, source, server, turn);
            session.add(id(), server, Metric.IN_FLIGHT, turn, sampler.mostBytesInFlight() / MEGA);
            session.add(id(), server, Metric.HEAP, turn, sampler.mostHeapBytes() / MEGA);
        }
    }

    private void loaded(Session session, Load load, TrafficSource source, RunningServer server, int turn)
            throws IOException, InterruptedException {
        ProcessFigures before = server.program().figures();
        Outcome outcome = load.run(server, source, CONNECTIONS, session.pace().time());
        ProcessFigures after = server.program().figures();
        session.add(id(), server, Metric.REQUESTS, turn, outcome.perSecond());
        session.add(id(), server, Metric.MEGABYTES_A_SECOND, turn, outcome.perSecond() * MEGABYTES);
        double micros = after.microsPerRequest(before, outcome.requests());
        session.add(id(), server, Metric.PROCESSOR_PER_REQUEST, turn, micros);
        session.add(id(), server, Metric.PEAK, turn, after.peakBytes() / MEGA);
        session.problems(id(), server, turn, outcome);
    }
}
