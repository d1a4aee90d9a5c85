package io.weir.bench.load.work;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.load.traffic.Traffic;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Small hits over WebSocket, each connection with one message out. Our own driver drives: wrk and h2load cannot. */
final class WebSocketCalls implements Workload {

    @Override
    public String id() {
        return "websocket";
    }

    @Override
    public String title() {
        return "small hit over WebSocket, by our own driver";
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException {
        Traffic.Same traffic = Calls.small();
        Backing backing = new Backing(
                session.node().ports().subList(0, 1), session.check().expected(traffic.body()));
        List<RunningServer> running = session.start(id(), List.of(ServerName.WEIR, ServerName.BARE), backing);
        try {
            for (int turn = 0; turn <= session.pace().turns(); turn++) {
                for (RunningServer server : ThroughputWorkload.rotated(running, turn)) {
                    Target target = server.webSocket();
                    if (target != null) {
                        turn(session, server, target, traffic, turn);
                    }
                }
            }
        } finally {
            session.end(running);
        }
    }

    private void turn(Session session, RunningServer server, Target target, Traffic traffic, int turn)
            throws IOException, InterruptedException {
        Duration time =
                turn == 0 ? session.pace().warm(server.name()) : session.pace().time();
        Outcome outcome = session.driver().webSocket(target, traffic, LoadPlan.closed(session.connections(), time));
        session.problems(id(), server, turn, outcome);
        if (turn > 0) {
            session.add(id(), server, Metric.REQUESTS, turn, outcome.perSecond());
        }
    }
}
