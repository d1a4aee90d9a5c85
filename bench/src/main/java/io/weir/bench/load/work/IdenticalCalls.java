package io.weir.bench.load.work;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.load.traffic.Traffic;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The same call a thousand times at once, which nobody asked before, while the node takes a fifth of a second: what reaches it. */
final class IdenticalCalls implements Workload {

    private static final int CALLS = 1000;
    private static final String LATENCY_MILLIS = "200";
    private static final Duration TIME = Duration.ofSeconds(10);

    @Override
    public String id() {
        return "identical";
    }

    @Override
    public String title() {
        return "1,000 identical calls at once, the node answering after 200 ms";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        List<ServerName> names = List.of(
                ServerName.WEIR, ServerName.NGINX_CACHE, ServerName.NGINX_PASS, ServerName.HAPROXY, ServerName.ERPC);
        List<RunningServer> running =
                session.start(id(), names, new Backing(session.node().ports().subList(0, 1), new byte[0]));
        try {
            session.node().set(0, "latency-ms=" + LATENCY_MILLIS);
            for (int turn = 1; turn <= session.pace().turns(); turn++) {
                for (RunningServer server : ThroughputWorkload.rotated(running, turn)) {
                    turn(session, server, turn);
                }
            }
        } finally {
            session.node().set(0, "latency-ms=0");
            session.end(running);
        }
    }

    private void turn(Session session, RunningServer server, int turn) throws IOException, InterruptedException {
        Traffic fresh = Calls.fresh(session.freshTurns().incrementAndGet());
        Traffic same = new Traffic.Same(fresh.body(0));
        session.node().set(0, "reset=1");
        Outcome outcome = session.driver().http(server.http(), same, LoadPlan.burst(CALLS, TIME));
        session.add(id(), server, Metric.NODE_CALLS, turn, (double) session.nodeCalls("eth_getBalance"));
        session.add(id(), server, Metric.MILLIS, turn, outcome.time().toNanos() / 1e6);
        session.problems(id(), server, turn, outcome);
    }
}
