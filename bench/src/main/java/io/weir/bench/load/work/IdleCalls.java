package io.weir.bench.load.work;

import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The calls to a node while the proxy is idle, and the proxy's memory then. Counted for a while after one call and
 * worked out for a minute; the title says for how long.
 */
record IdleCalls(Duration time) implements Workload {

    private static final double MEGA = 1e6;

    @Override
    public String id() {
        return "idle";
    }

    @Override
    public String title() {
        return "nobody asks: calls of the node, counted for " + time.toSeconds() + " s, worked out for a minute";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        List<ServerName> names = List.of(ServerName.WEIR, ServerName.NGINX_PASS, ServerName.HAPROXY, ServerName.ERPC);
        for (ServerName name : names) {
            // One at a time: each node call must be this server's.
            session.endKept();
            List<RunningServer> running = session.start(
                    id(), List.of(name), new Backing(session.node().ports().subList(0, 1), new byte[0]));
            try {
                for (RunningServer server : running) {
                    session.node().set(0, "reset=1");
                    server.program().isAliveAfter(time);
                    double minutes = time.toMillis() / 60_000.0;
                    session.add(id(), server, Metric.NODE_CALLS_A_MINUTE, 1, session.nodeCalls("") / minutes);
                    double resident = server.program().figures().residentBytes() / MEGA;
                    session.add(id(), server, Metric.RESIDENT, 1, resident);
                }
            } finally {
                session.end(running);
            }
        }
    }
}
