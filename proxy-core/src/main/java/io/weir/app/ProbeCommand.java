package io.weir.app;

import io.weir.config.NetworkConfig;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code probe}: asks each configured node for its chain, data and bounds. */
@Command(
        name = "probe",
        description =
                "Asks each configured Ethereum node for its chain, head, data, bounds and latency. A node gets at most"
                        + " " + ProbeClient.MAX_REQUESTS
                        + " requests with 2000 calls, one after the other, within 3 minutes."
                        + " Exit code 1: a node does not answer, is of another chain, or is too far behind.")
final class ProbeCommand implements Callable<Integer> {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final int NODES_AT_ONCE = 8;

    @Mixin
    private ConfigOptions config;

    @Option(names = "--network", paramLabel = "NAME", description = "Only the nodes of this network.")
    private @Nullable String network;

    @Option(names = "--json", description = "Prints JSON in place of a table.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Map<String, NetworkConfig> networks = config.startup().config().networks();
        if (network != null && !networks.containsKey(network)) {
            throw config.wrong(
                    "--network: " + network + " (expected: one of " + String.join(", ", networks.keySet()) + ")");
        }
        ExecutorService threads = Executors.newFixedThreadPool(NODES_AT_ONCE);
        List<ProbeReport> reports = networks.values().stream()
                .filter(one -> network == null || network.equals(one.name()))
                .map(one -> report(one, threads))
                .toList();
        threads.shutdown();
        PrintWriter out = config.out();
        if (json) {
            out.println(JSON.writeValueAsString(Map.of("networks", reports)));
        } else {
            reports.forEach(report -> report.print(out));
        }
        out.flush();
        return reports.stream().allMatch(ProbeReport::isGood) ? ExitCodes.OK : ExitCodes.PROBLEM;
    }

    private static ProbeReport report(NetworkConfig network, ExecutorService threads) {
        List<CompletableFuture<ProbeReport.Node>> asked = network.upstreams().values().stream()
                .filter(node -> network.isOfEthereum())
                .map(node -> CompletableFuture.supplyAsync(() -> NodeProbe.of(network, node), threads))
                .toList();
        List<ProbeReport.Node> answered =
                asked.stream().map(CompletableFuture::join).toList();
        ProbeReport report = new ProbeReport(network.name(), network.kind(), network.chainId(), answered);
        report.compare(network.health().maxLag());
        return report;
    }
}
