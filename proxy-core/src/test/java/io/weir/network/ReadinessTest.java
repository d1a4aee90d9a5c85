package io.weir.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.HashedKeyRing;
import io.weir.access.TestAccounts;
import io.weir.config.AccessConfig;
import io.weir.config.WeirConfig;
import io.weir.config.load.TextConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.limit.Budget;
import io.weir.testing.NetworkSettings;
import io.weir.transport.ServerBounds;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadinessTest {

    private final FixedPool main = new FixedPool(new FakeHead(0));
    private final FixedPool testing = new FixedPool(new FakeHead(0));

    private Readiness serving(boolean mainOptional, boolean testingOptional) {
        Readiness readiness = new Readiness(new CurrentGeneration(generation(mainOptional, testingOptional)));
        readiness.serve();
        return readiness;
    }

    private Generation generation(boolean mainOptional, boolean testingOptional) {
        AccessConfig access = new AccessConfig(false, new AccessConfig.RateConfig(0, 0, false), Map.of());
        WeirConfig config = TextConfig.with(
                Map.of("server", new ServerBounds().build(), "defaultNetwork", "main", "access", access));
        return new Generation(
                config,
                HashedKeyRing.of(access, TestAccounts.create()),
                Map.of(
                        "main",
                        network("main", mainOptional, main),
                        "testing",
                        network("testing", testingOptional, testing)));
    }

    private static Network network(String name, boolean optional, FixedPool pool) {
        return new Network(
                new NetworkId(name),
                NetworkSettings.of(name, "chain-id = 1", "optional = " + optional),
                null,
                pool,
                null,
                null,
                null,
                Budget.unbounded());
    }

    @Test
    void aDeadOptionalNetworkDoesNotCount() {
        testing.usable = false;
        Readiness readiness = serving(false, true);
        assertThat(readiness.ready()).isTrue();
        assertThat(readiness.report()).isEqualTo(new Readiness.Report(true, "ready\nno usable upstream: testing"));
    }

    @Test
    void aUsableOptionalNetworkIsNotEnough() {
        main.usable = false;
        Readiness readiness = serving(false, true);
        assertThat(readiness.ready()).isFalse();
        assertThat(readiness.report()).isEqualTo(new Readiness.Report(false, "no usable upstream: main"));
        assertThat(readiness.report("testing")).isEqualTo(new Readiness.Report(true, "ready"));
    }

    @Test
    void anOptionalNetworkThatIsAskedForByNameCounts() {
        testing.usable = false;
        assertThat(serving(false, true).report("testing"))
                .isEqualTo(new Readiness.Report(false, "no usable upstream: testing"));
    }

    @Test
    void aProxyWithOptionalNetworksOnlyIsReadyWithoutThem() {
        main.usable = false;
        testing.usable = false;
        assertThat(serving(true, true).ready()).isTrue();
    }

    @Test
    void aProxyThatDoesNotListenYetIsNotReady() {
        Readiness readiness = new Readiness(new CurrentGeneration(generation(false, false)));
        assertThat(readiness.ready()).isFalse();
        assertThat(readiness.report()).isEqualTo(new Readiness.Report(false, "starting"));
        assertThat(readiness.report("main")).isEqualTo(new Readiness.Report(false, "starting"));
    }

    @Test
    void aProxyThatDrainsIsNotReady() {
        Readiness readiness = serving(false, false);
        readiness.drain();
        assertThat(readiness.ready()).isFalse();
        assertThat(readiness.report().text()).isEqualTo("draining");
    }

    @Test
    void anUnknownNetworkHasNoReport() {
        assertThat(serving(false, false).report("other")).isNull();
    }
}
