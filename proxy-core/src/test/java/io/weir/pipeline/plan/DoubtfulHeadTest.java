package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.error;
import static io.weir.pipeline.plan.FakePool.failed;
import static io.weir.pipeline.plan.FakePool.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.HeadMoment;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which methods put the head in doubt, in the plans that calls follow. */
class DoubtfulHeadTest {

    private final Fixture fixture = new Fixture();

    @BeforeEach
    void everyMethodIsServed() {
        fixture.methods = "methods.allow = [\"*\"]";
    }

    private boolean isFreshAfter(String method, NodeOutcome outcome) {
        fixture.pool.node("a", outcome);
        HeadMoment round = fixture.pool.head.tracker().now();
        fixture.pool.head.tracker().named(round, 7, true);
        assertThat(fixture.pool.head.tracker().fresh()).isTrue();
        fixture.run(method);
        assertThat(fixture.pool.asked).as("the node was asked").hasSize(1);
        return fixture.pool.head.tracker().fresh();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_sendRawTransaction", "eth_sendBundle", "evm_mine", "anvil_setNextBlockTimestamp"})
    void afterAWriteOrAChangeByHandTheHeadIsInDoubt(String method) {
        assertThat(isFreshAfter(method, result("\"0x1\""))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_sendRawTransaction", "eth_sendBundle", "evm_mine"})
    void aWriteThatMayHaveBeenCarriedOutLeavesTheHeadInDoubt(String method) {
        assertThat(isFreshAfter(method, failed(Fault.TIMEOUT, Executed.MAYBE))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_call", "eth_getBalance", "eth_getLogs", "eth_gasPrice"})
    void aReadLeavesTheHeadFresh(String method) {
        assertThat(isFreshAfter(method, result("\"0x1\""))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alchemy_getTokenBalances", "vendor_method"})
    void anyOtherMethodOutsideTheCatalogueLeavesTheHeadFresh(String method) {
        assertThat(isFreshAfter(method, result("\"0x1\""))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evm_mine", "hardhat_setBalance"})
    void aRefusedChangeByHandLeavesTheHeadFresh(String method) {
        assertThat(isFreshAfter(method, error(method, -32601, "no such method")))
                .isTrue();
    }
}
