package io.weir.app;

import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code probe}: asks each configured node for its chain, data and bounds. */
@Command(
        name = "probe",
        description = "Asks each configured Ethereum node for its chain, head, data, bounds and latency. A node gets at most"
                + " " + ProbeClient.MAX_REQUESTS + " requests with 2000 calls, one after the other, within 3 minutes."
                + " Exit code 1: a node does not answer, is of another chain, or is too far behind.")
final class ProbeCommand implements Callable<Integer> {

    private static final int NODES_AT_ONCE = 8;

    @Mixin
    private ConfigOptions config;

    @Option(names = "--network", paramLabel = "NAME", description = "Only the nodes of this network.")
    private @Nullable String network;

    @Option(names = "--json", description = "Prints JSON in place of tables.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Map<String, NetworkConfig> networks = config.startup().config().networks();
        if (network != null && !networks.containsKey(network)) {
            throw config.wrong(
                    "--network: " + network + " (expected: one of " + String.join(", ", networks.keySet()) + ")");
        }
        PrintWriter out = config.out();
        List<ProbeReport> reports = new ArrayList<>();
        for (NetworkConfig one : networks.values()) {
            if (network == null || network.equals(one.name())) {
                reports.add(report(one));
            }
        }
        if (json) {
            out.println(ProbeReport.json(reports));
        } else {
            reports.forEach(report -> report.printTable(out));
        }
        out.flush();
        return reports.stream().allMatch(ProbeReport::isGood) ? ExitCodes.OK : ExitCodes.PROBLEM;
    }

    private static ProbeReport report(NetworkConfig network) throws Exception {
        List<ProbeReport.Node> nodes = network.isOfEthereum() ? nodes(network) : List.of();
        ProbeReport.compare(nodes, network.health().maxLag());
        return new ProbeReport(network.name(), network.chainId(), nodes);
    }

    private static List<ProbeReport.Node> nodes(NetworkConfig network) throws Exception {
        Collection<UpstreamConfig> upstreams = network.upstreams().values();
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(NODES_AT_ONCE, upstreams.size()));
        try {
            List<Future<ProbeReport.Node>> asked = new ArrayList<>();
            for (UpstreamConfig upstream : upstreams) {
                asked.add(threads.submit(() -> NodeProbe.of(network, upstream, Clock.systemUTC())));
            }
            List<ProbeReport.Node> nodes = new ArrayList<>();
            for (Future<ProbeReport.Node> one : asked) {
                nodes.add(one.get());
            }
            return nodes;
        } finally {
            threads.shutdownNow();
        }
    }
}
