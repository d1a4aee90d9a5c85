package io.weir.app;

import static io.weir.testing.traffic.NodeRelay.Event.CALL_ANSWERED;
import static io.weir.testing.traffic.NodeRelay.Event.CALL_ARRIVED;
import static io.weir.testing.traffic.NodeRelay.Event.PROBE_ANSWERED;
import static io.weir.testing.traffic.NodeRelay.Event.PROBE_ARRIVED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.NodeRelay;
import io.weir.testing.traffic.RepeatableLoad;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two real nodes of one chain behind the proxy, of which one is killed while 64 connections ask. */
final class FailoverIT {

    private static final int CONNECTIONS = 64;
    private static final int ENOUGH = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String[] SAME_GENESIS = {"--timestamp", "1700000000"};

    private AnvilNode first;
    private AnvilNode second;

    @BeforeEach
    void startTwoNodesOfOneChain() {
        first = AnvilNode.start(SAME_GENESIS);
        second = AnvilNode.start(SAME_GENESIS);
        assertThat(genesisHash(second)).isEqualTo(genesisHash(first));
    }

    @AfterEach
    void stopBoth() {
        if (first != null) {
            first.close();
        }
        if (second != null) {
            second.close();
        }
    }

    @Test
    void aKilledNodeFailsNoRepeatableCallAndServesAgainAfterItsFirstGoodProbe() {
        try (NodeRelay toFirst = NodeRelay.to(first.port());
                NodeRelay toSecond = NodeRelay.to(second.port());
                LocalProxy weir = startProxy(toFirst.url(), toSecond.url());
                RepeatableLoad load = RepeatableLoad.start(weir.port(), CONNECTIONS, genesisHash(first))) {
            awaitWith(
                    load, () -> toFirst.count(CALL_ANSWERED, 0) > ENOUGH && toSecond.count(CALL_ANSWERED, 0) > ENOUGH);

            second.kill();
            awaitWith(load, () -> isOutOfUse(weir));
            int outOfUse = toSecond.mark();
            assertThat(unansweredCalls(toSecond))
                    .as("calls that met the dead node before a connection to it failed: one request of each client")
                    .isLessThanOrEqualTo((long) CONNECTIONS * RepeatableLoad.MAX_CALLS_IN_A_REQUEST);
            long before = load.answered();
            awaitWith(load, () -> load.answered() > before + ENOUGH && toSecond.count(PROBE_ARRIVED, outOfUse) > 3);
            assertThat(toSecond.since(outOfUse)).containsOnly(PROBE_ARRIVED);

            int restarted = toSecond.mark();
            second.restart();
            awaitWith(load, () -> toSecond.count(CALL_ANSWERED, restarted) > ENOUGH);
            assertThat(weir.admin().health("anvil", "second")).isEqualTo("healthy");
            List<NodeRelay.Event> sinceThen = toSecond.since(restarted);
            assertThat(sinceThen.indexOf(CALL_ARRIVED))
                    .as("the first call after the restart, against the first good probe")
                    .isGreaterThan(sinceThen.indexOf(PROBE_ANSWERED));
            assertThat(load.failures()).isEmpty();
        }
    }

    @Test
    void aKilledNodeWhoseAddressRefusesConnectionsIsSentNothingUntilItIsBack() {
        try (LocalProxy weir = startProxy(first.url(), second.url());
                RepeatableLoad load = RepeatableLoad.start(weir.port(), CONNECTIONS, genesisHash(first))) {
            awaitWith(load, () -> attemptsAt(weir, "first") > ENOUGH && attemptsAt(weir, "second") > ENOUGH);

            second.kill();
            awaitWith(load, () -> isOutOfUse(weir));
            double attempts = attemptsAt(weir, "second");
            long before = load.answered();
            awaitWith(load, () -> load.answered() > before + ENOUGH);
            assertThat(attemptsAt(weir, "second")).isEqualTo(attempts);

            second.restart();
            awaitWith(load, () -> attemptsAt(weir, "second") > attempts + ENOUGH);
            assertThat(weir.admin().health("anvil", "second")).isEqualTo("healthy");
            assertThat(load.failures()).isEmpty();
        }
    }

    private static LocalProxy startProxy(String firstUrl, String secondUrl) {
        LocalProxy weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("first", firstUrl)
                .upstream("second", secondUrl)
                .networkSetting("health.interval = 500 ms")
                .text());
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(weir.admin().health("anvil", "first")).isEqualTo("healthy");
            assertThat(weir.admin().health("anvil", "second")).isEqualTo("healthy");
        });
        return weir;
    }

    /** Waits for a state, and no longer than until a call fails. */
    private static void awaitWith(RepeatableLoad load, Condition condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            assertThat(load.failures()).isEmpty();
            return condition.holds();
        });
    }

    /** Whether the second node is known to be down and nothing that was sent to it before is still under way. */
    private static boolean isOutOfUse(LocalProxy weir) {
        return weir.admin().health("anvil", "second").equals("down")
                && weir.admin().metric("weir_upstream_in_flight", "upstream=\"second\"") == 0;
    }

    private static double attemptsAt(LocalProxy weir, String upstream) {
        return weir.admin().metric("weir_upstream_calls_total", "upstream=\"" + upstream + "\"");
    }

    private static long unansweredCalls(NodeRelay relay) {
        return relay.count(CALL_ARRIVED, 0) - relay.count(CALL_ANSWERED, 0);
    }

    private static String genesisHash(AnvilNode node) {
        return new JsonRpcClient(node.url())
                .result("eth_getBlockByNumber", "0x0", false)
                .path("hash")
                .asString();
    }

    private interface Condition {
        boolean holds();
    }
}
