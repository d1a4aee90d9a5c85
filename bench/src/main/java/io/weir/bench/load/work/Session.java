package io.weir.bench.load.work;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.OwnDriver;
import io.weir.bench.load.report.Journal;
import io.weir.bench.load.report.Journal.Figure;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.Backing;
import io.weir.bench.load.server.Node;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.server.Servers;
import io.weir.bench.load.server.Workshop;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Traffic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tools of a workload: nodes, a driver, a journal, and the requested servers that exist. Confined to the run's
 * thread.
 *
 * @param wanted the servers that take part
 * @param connections of drivers, where a workload does not say otherwise
 * @param freshTurns counts the uses of traffic that is never repeated
 * @param kept servers that stay from workload to workload, where the pace wants that
 */
public record Session(
        Workshop workshop,
        Node node,
        Servers servers,
        AnswerCheck check,
        OwnDriver driver,
        Journal journal,
        Pace pace,
        Set<ServerName> wanted,
        int connections,
        AtomicInteger freshTurns,
        Map<String, RunningServer> kept)
        implements AutoCloseable {

    /** Nodes that each run starts: three, of which most workloads use the first. */
    public static final int NODES = 3;

    private static final Traffic ANY =
            Traffic.Same.of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_chainId\",\"params\":[]}");
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final int MOMENTS_TO_ANSWER = 300;

    /** A session with a driver and a check of its own. */
    public static Session of(Workshop workshop, Node node, Answers answers, Journal journal, Pace pace, Asked asked) {
        AnswerCheck check = new AnswerCheck(answers::result);
        return new Session(
                workshop,
                node,
                new Servers(workshop, node),
                check,
                new OwnDriver(check),
                journal,
                pace,
                asked.servers(),
                asked.connections(),
                new AtomicInteger(),
                new HashMap<>());
    }

    /** Returns the options of the command line. */
    public record Asked(Set<ServerName> servers, int connections) {}

    /** Starts those of the servers that are wanted and there; each answers. */
    List<RunningServer> start(String workload, List<ServerName> names, Backing backing)
            throws IOException, InterruptedException {
        List<RunningServer> started = new ArrayList<>();
        for (ServerName name : names) {
            if (!wanted.contains(name)) {
                continue;
            }
            String missing = servers.missing(name);
            if (!missing.isEmpty()) {
                journal.skip(name.title(), missing);
                continue;
            }
            String key = name + " " + backing.nodePorts();
            RunningServer before = kept.remove(key);
            RunningServer server = before == null ? servers.start(name, backing) : before;
            if (before != null || answers(server)) {
                started.add(server);
                if (isKept(server)) {
                    kept.put(key, server);
                }
            } else {
                server.close();
                journal.problem(workload, name, "does not answer a call, see its log");
            }
        }
        return started;
    }

    /** Waits until a server answers. */
    boolean answers(RunningServer server) throws IOException, InterruptedException {
        for (int i = 0; i < MOMENTS_TO_ANSWER; i++) {
            if (server.name() == ServerName.BARE) {
                return true;
            }
            Outcome outcome = driver.http(server.http(), ANY, LoadPlan.burst(1, Duration.ofSeconds(2)));
            if (outcome.problems() == 0) {
                return true;
            }
            if (!server.program().isAliveAfter(MOMENT)) {
                return false;
            }
        }
        return false;
    }

    /** Notes a figure. */
    void add(String workload, RunningServer server, Metric metric, int turn, double value) {
        journal.add(new Figure(workload, server.name(), metric, turn, value));
    }

    /** Notes what went wrong, if anything did. */
    void problems(String workload, RunningServer server, int turn, Outcome outcome) {
        if (outcome.problems() > 0) {
            add(workload, server, Metric.PROBLEMS, turn, (double) outcome.problems());
            journal.problem(workload, server.name(), outcome.problems() + " times: " + outcome.firstProblem());
        }
    }

    /** Calls of a method that the first node has counted; of all calls, where the method is empty. */
    long nodeCalls(String method) throws IOException, InterruptedException {
        return node.counters(0).entrySet().stream()
                .filter(counter ->
                        counter.getKey().contains("_") && counter.getKey().startsWith(method))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** The bare server is another for each workload, and the node is not ours to end. */
    private boolean isKept(RunningServer server) {
        return !pace.full() && server.name() != ServerName.BARE && server.name() != ServerName.DIRECT;
    }

    /** Ends servers that are not kept, but not the node. */
    void end(List<RunningServer> running) {
        running.stream()
                .filter(server -> server.name() != ServerName.DIRECT && !kept.containsValue(server))
                .forEach(RunningServer::close);
    }

    /** Ends those that are kept. */
    void endKept() {
        kept.values().forEach(RunningServer::close);
        kept.clear();
    }

    @Override
    public void close() {
        endKept();
        driver.close();
    }
}
