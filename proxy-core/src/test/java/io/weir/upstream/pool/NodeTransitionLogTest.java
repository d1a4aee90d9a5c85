package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.testing.ThreadLog;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.pool.WatchedNode.NodeTransitionLog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NodeTransitionLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(NodeTransitionLog.class);
    private final ThreadLog log = new ThreadLog(NodeTransitionLog.class.getName());
    private final PoolBench bench = new PoolBench();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
    }

    @AfterEach
    void leave() {
        log.close();
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private List<String> lines() {
        return log.lines().stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void eachChangeIsLoggedOnceAndWithoutAddress() {
        FakeNode a = bench.node("a", 0, 1);
        bench.node("b", 0, 1).chain = "5";
        bench.begin();
        bench.pass(2_000);
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        bench.pass(5_000);
        a.probeOutcome = null;
        bench.pass(70_000);
        assertThat(lines())
                .containsExactly(
                        "INFO upstream a of network net is healthy",
                        "WARN upstream b of network net is out (wrong chain): serves chain 5, not 1",
                        "WARN upstream a of network net is out (down): saw CONNECT",
                        "INFO upstream a of network net is healthy");
    }

    @Test
    void aNodeThatStaysDownForAnotherReasonHasALineAMinute() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        bench.pass(2_000);
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        bench.pass(5_000);
        a.probeOutcome = FakeNode.failed(Fault.DISCONNECTED);
        bench.pass(30_000);
        a.probeOutcome = FakeNode.failed(Fault.CREDENTIALS);
        bench.pass(60_000);
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.pass(180_000);
        assertThat(lines())
                .containsExactly(
                        "INFO upstream a of network net is healthy",
                        "WARN upstream a of network net is out (down): saw CONNECT",
                        "WARN upstream a of network net is out (down): saw CREDENTIALS",
                        "WARN upstream a of network net is out (down): saw CONNECT");
    }

    @Test
    void aNodeThatComesAndGoesIsLoggedOnceASecond() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        bench.pass(2_000);
        a.holdProbes = true;
        for (int i = 0; i < 100; i++) {
            bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
            while (!a.heldProbes.isEmpty()) {
                a.releaseProbe();
            }
            bench.pass(20);
        }
        a.holdProbes = false;
        bench.pass(5_000);
        assertThat(lines())
                .as("it changed eight times within two seconds")
                .hasSizeBetween(2, 6)
                .endsWith("INFO upstream a of network net is healthy");
    }
}
