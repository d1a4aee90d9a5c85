package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.NodeScript;
import io.weir.testing.WatchingPrograms;
import io.weir.testing.traffic.CuttableRelay;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Real clients that watch blocks and logs while the proxy loses its nodes, one after another. */
final class WatchingClientsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 10;
    private static final int BLOCKS_WHILE_CUT = 2;

    private final List<CuttableRelay> relays = new ArrayList<>();
    private AnvilNode anvil;
    private LocalProxy weir;
    private HttpServer control;

    @BeforeEach
    void startNodesAndProxy() throws IOException {
        anvil = AnvilNode.start();
        ConfigurationText configuration = ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .networkSetting("health.interval = 500 ms")
                // A relay that is cut under a transaction may have passed it on: one node alone would leave its outcome
                // open.
                .networkSetting("transactions.broadcast = 2");
        for (int i = 0; i < 3; i++) {
            CuttableRelay relay = CuttableRelay.to(anvil.port());
            relays.add(relay);
            configuration.upstream("node-" + i, "http://127.0.0.1:" + relay.port());
            if (i > 0) {
                configuration.networkSetting(
                        "upstreams.node-" + i + ".ws-url = \"ws://127.0.0.1:" + relay.port() + '"');
            }
        }
        weir = LocalProxy.start(configuration.text());
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(weir.admin().health("anvil", "node-2")).isEqualTo("healthy"));
        control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        control.createContext("/failover", exchange -> {
            byte[] answer = Long.toString(failover()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        });
        control.start();
    }

    @AfterEach
    void stopAll() {
        if (control != null) {
            control.stop(0);
        }
        Stream.concat(Stream.of(weir), Stream.concat(relays.stream(), Stream.of(anvil)))
                .filter(part -> part != null)
                .forEach(part -> org.assertj.core.api.Assertions.assertThatCode(part::close)
                        .doesNotThrowAnyException());
    }

    @Test
    void ethersSeesEveryBlockAndLogThroughTenFailovers() {
        assertSawAll(NodeScript.run("watching-ethers.mjs", weir.socketUrl(), controlUrl()));
    }

    @Test
    void ethersOfTheVersionBeforeSeesEveryBlockAndLogThroughTenFailovers() {
        assertSawAll(NodeScript.run("watching-ethers5.mjs", weir.socketUrl(), controlUrl()));
    }

    @Test
    void viemSeesEveryBlockAndLogThroughTenFailovers() {
        NodeScript viem = NodeScript.run("watching-viem.mjs", weir.socketUrl(), controlUrl());
        assertThat(viem.saw("errors").isEmpty())
                .as("errors: %s", viem.saw("errors"))
                .isTrue();
        assertSawAll(viem);
    }

    @Test
    void viemSeesEveryBlockAndLogByFiltersOverHttp() {
        NodeScript viem = NodeScript.run("watching-viem-http.mjs", weir.url(), controlUrl());
        assertThat(viem.saw("errors").isEmpty())
                .as("errors: %s", viem.saw("errors"))
                .isTrue();
        assertSawAll(viem);
        assertThat(weir.admin().metric("weir_filters_ended_total")).isZero();
    }

    @Test
    void ethersSeesEveryLogByAFilterOverHttp() {
        assertSawAll(NodeScript.run("watching-ethers-http.mjs", weir.url(), controlUrl()));
        assertThat(weir.admin().metric("weir_filters_ended_total")).isZero();
    }

    @Test
    void web3JsSeesEveryBlockAndLogThroughTenFailovers() {
        assertSawAll(NodeScript.run("watching-web3.mjs", weir.socketUrl(), controlUrl()));
    }

    @Test
    void web3PySeesEveryBlockAndLogThroughTenFailovers() {
        assertSawAll(WatchingPrograms.python(weir.socketUrl(), controlUrl()));
    }

    @Test
    void ethclientOfGethSeesEveryBlockAndLogThroughTenFailovers() {
        assertSawAll(WatchingPrograms.go(weir.socketUrl(), controlUrl()));
    }

    @Test
    void web3jSeesEveryBlockAndLogThroughTenFailovers() {
        assertSawAll(WatchingPrograms.web3j(weir.socketUrl(), controlUrl()));
    }

    private static void assertSawAll(NodeScript client) {
        List<Long> blocks =
                client.saw("blocks").valueStream().map(JsonNode::asLong).toList();
        List<Long> unbroken = LongStream.rangeClosed(
                        blocks.get(0), client.saw("head").asLong())
                .boxed()
                .toList();
        assertThat(blocks).as("numbers of new heads").isEqualTo(unbroken).hasSizeGreaterThan(ROUNDS * BLOCKS_WHILE_CUT);
        List<String> logs =
                client.saw("logs").valueStream().map(JsonNode::asString).toList();
        List<String> sent = client.saw("sent")
                .valueStream()
                .map(one -> one.path("hash").asString())
                .toList();
        // The first transactions may have been sent before the subscription was open.
        assertThat(sent).as("transactions that the client waited for").endsWith(logs.toArray(String[]::new));
        assertThat(logs).as("transactions of the logs").hasSizeGreaterThanOrEqualTo(ROUNDS);
    }

    private String controlUrl() {
        return "http://127.0.0.1:" + control.getAddress().getPort();
    }

    /** Cuts the relay that the proxy used last, joins the others, and mines. Returns the number of the newest block. */
    private long failover() {
        CuttableRelay used = relays.stream()
                .max(Comparator.comparingLong(CuttableRelay::answeredNanos))
                .orElseThrow();
        relays.forEach(CuttableRelay::join);
        used.cut();
        JsonRpcClient node = new JsonRpcClient(anvil.url());
        for (int i = 0; i < BLOCKS_WHILE_CUT; i++) {
            node.result("evm_mine");
        }
        return Long.decode(node.result("eth_blockNumber").asString());
    }
}
