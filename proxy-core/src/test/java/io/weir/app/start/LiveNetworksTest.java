package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoopGroup;
import io.weir.api.EthereumKind;
import io.weir.app.start.LiveNetworks.Candidates;
import io.weir.cache.memory.ResultMemory;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.network.Network;
import io.weir.network.NetworkAssembly;
import io.weir.plugin.PluginHost;
import io.weir.testing.NetworkSettings;
import io.weir.testing.TestAuthority;
import io.weir.tls.CertificateStatus;
import io.weir.transport.SocketTransport;
import io.weir.upstream.link.SocketNodeClient;
import io.weir.upstream.link.StreamLimit;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Networks whose nodes have certificates, of candidates that serve and of those that do not. */
class LiveNetworksTest {

    private static final String SETTING = "networks.net.upstreams.a.tls";

    @TempDir
    private Path folder;

    private final MetricRegistry registry = new MetricRegistry();
    private final Meters meters = new Meters(registry);
    private PluginHost plugins;
    private EventLoopGroup loops;
    private ResultMemory memory;
    private Certificates certificates;
    private LiveNetworks live;

    @BeforeEach
    void open() throws Exception {
        ConfigFile.Opened opened = new ConfigFile(
                        Path.of("weir.conf"),
                        "plugins.path = [], access.anonymous = true, networks.n { chain-id = 1, upstreams.a.url = \"http://127.0.0.1:1\" }")
                .open(meters);
        WeirConfig config = opened.loaded().config();
        plugins = opened.plugins();
        SocketTransport transport = SocketTransport.best();
        loops = transport.loops(1, "test-loop");
        Budget bytes = new Budget(1 << 20);
        memory = ResultMemory.of(config.cache(), bytes, meters);
        certificates = Certificates.read(config, Clock.systemUTC(), meters);
        NodeClients clients = new NodeClients(
                plugins.catalogue(),
                new SocketNodeClient.Resources(loops, transport.clientChannel(), bytes, new StreamLimit(1, meters)),
                certificates,
                meters);
        NetworkAssembly assembly =
                new NetworkAssembly(loops, meters, clients::client, kind -> Map.of(), memory, config);
        live = new LiveNetworks(assembly, clients, network -> new EthereumKind(), loops, meters);
        issue("first", 10);
        issue("second", 20);
    }

    @AfterEach
    void close() throws Exception {
        live.close();
        certificates.close();
        memory.close();
        plugins.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    private void issue(String name, int days) throws Exception {
        // Half a day more, so that no test sees a day end.
        new TestAuthority("Authority")
                .issue(TestAuthority.validFor(Duration.ofHours(days * 24 + 12)), "weir")
                .write(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
    }

    /** A network with one node that is shown a certificate, and perhaps others. */
    private NetworkConfig network(String certificate, String... more) {
        String node =
                "a { url = \"https://127.0.0.1:1\", tls { certificate = \"%1$s/%2$s.pem\", key = \"%1$s/%2$s.key\" } }"
                        .formatted(folder, certificate);
        return NetworkSettings.of("net", "upstreams { " + node + ", " + String.join(", ", more) + " }");
    }

    private List<Network> serve(NetworkConfig... networks) {
        return live.serve(live.build(List.of(networks)));
    }

    private List<String> watched() {
        return certificates.status().stream().map(CertificateStatus::setting).toList();
    }

    /** The gauges of networks and of certificates, by name. */
    private Map<String, Object> gauges() {
        Map<String, Object> values = new TreeMap<>();
        registry.getGauges((name, metric) -> name.contains("net"))
                .forEach((name, gauge) -> values.put(name, ((Gauge<?>) gauge).getValue()));
        return values;
    }

    private List<Object> days() {
        return gauges().entrySet().stream()
                .filter(gauge -> gauge.getKey().contains(Meter.TLS_CERTIFICATE_DAYS.id()))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Test
    void aRefusedCandidateLeavesTheGaugesAndCertificatesOfTheRunningNetwork() {
        serve(network("first"));
        Map<String, Object> before = gauges();
        assertThat(days()).containsExactly(10L);

        assertThatThrownBy(() -> live.build(List.of(network("second", "b.url = \"nosuch:node\""))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(gauges()).isEqualTo(before);
        assertThat(watched()).containsExactly(SETTING);
    }

    @Test
    void aNodeThatCannotBeOpenedLeavesNoCertificateBehind() {
        String both =
                "b { url = \"nosuch:node\", ws-url = \"wss://127.0.0.1:1\", tls.certificate = \"%1$s/first.pem\", tls.key = \"%1$s/first.key\" }"
                        .formatted(folder);
        assertThatThrownBy(() -> serve(NetworkSettings.of("net", "upstreams { " + both + " }")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(watched()).isEmpty();
        assertThat(gauges()).isEmpty();
    }

    @Test
    void candidatesShowNothingBeforeTheyServeAndLeaveNothingWhenDropped() {
        serve(network("first"));
        Map<String, Object> before = gauges();
        Candidates next = live.build(List.of(network("second", "b.url = \"http://127.0.0.1:1\"")));
        assertThat(gauges()).isEqualTo(before);
        live.drop(next);
        assertThat(gauges()).isEqualTo(before);
        assertThat(watched()).containsExactly(SETTING);
    }

    @Test
    void theCertificateOfAReplacedNetworkIsForgottenOnceTheNetworkIsClosed() {
        serve(network("first", "b.url = \"http://127.0.0.1:1\""));
        List<Network> replaced = serve(network("second"));
        assertThat(days()).containsExactly(20L);
        assertThat(watched()).as("the old network finishes calls").hasSize(2);
        live.retire(replaced);
        assertThat(watched()).containsExactly(SETTING);
        assertThat(days()).containsExactly(20L);
        assertThat(gauges().keySet()).as("gauges of the node that is gone").noneMatch(name -> name.matches(".*\\Wb"));
        live.close();
        assertThat(watched()).isEmpty();
        assertThat(gauges()).isEmpty();
    }

    @Test
    void aRemovedNetworkTakesItsGaugesAndCertificatesAlongOnceItIsClosed() {
        serve(network("first"), NetworkSettings.of("other"));
        List<Network> removed = serve(NetworkSettings.of("other"));
        assertThat(days()).containsExactly(10L);
        live.retire(removed);
        assertThat(watched()).isEmpty();
        assertThat(gauges()).isEmpty();
    }

    @Test
    void aConfigurationThatComesBackShowsTheGaugesOfItsNodesAgain() {
        List<Network> first = serve(network("first"));
        List<Network> second = serve(network("second"));
        List<Network> third = serve(network("first"));
        assertThat(first).isEmpty();
        assertThat(days()).containsExactly(10L);
        live.retire(second);
        live.retire(third);
        assertThat(days()).containsExactly(10L);
        assertThat(watched()).containsExactly(SETTING);
    }
}
