package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that fails all calls of one class, while it answers others. */
class ClassFaultsTest {

    private static final RpcCall TRACE = new RpcCall(RawJson.of("1"), "trace_block", null);
    private static final RpcCall BALANCE = new RpcCall(RawJson.of("1"), "eth_getBalance", null);
    private static final NodeOutcome GOOD = FakeNode.answer("\"0x1\"");
    private static final NodeOutcome BAD = FakeNode.failed(Fault.SERVER_ERROR);

    private final PoolBench bench = new PoolBench();

    @BeforeEach
    void begin() {
        bench.node("a", 0, 1);
        bench.node("far", 1, 1);
        bench.begin();
    }

    private void ask(String id, RpcCall call, NodeOutcome outcome) {
        bench.upstream(id).ask(bench.loop, call, bench.ticker.nanoTime() + 60_000_000_000L, Attempt.of(ignored -> {}));
        bench.nodes.get(id).calls.removeLast().end(outcome);
        bench.settle();
    }

    private void tracesFail(String id, int count) {
        for (int i = 0; i < count; i++) {
            ask(id, TRACE, BAD);
            // The share of faults is not of interest here.
            ask(id, BALANCE, GOOD);
            ask(id, BALANCE, GOOD);
        }
    }

    private Set<String> chosen(RpcCall call, int times) {
        Set<String> ids = new TreeSet<>();
        for (int i = 0; i < times; i++) {
            Choice choice = bench.pool.choose(call, List.of(), 0);
            ids.add(choice == null ? "none" : choice.upstream().id());
        }
        return ids;
    }

    @Test
    void itIsLeftForThatClassAloneAfterFaultsInARow() {
        tracesFail("a", 2);
        assertThat(chosen(TRACE, 10)).containsExactly("a");
        tracesFail("a", 1);
        assertThat(chosen(TRACE, 10)).containsExactly("far");
        assertThat(chosen(BALANCE, 10)).containsExactly("a");
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.status("a").detail())
                .isEqualTo(
                        "comes last for calls of the class heavy after 3 faults in a row, the last: saw SERVER_ERROR");
        assertThat(new Meters(bench.registry)
                        .counter(Meter.EJECTIONS, "net", "a", "class_faults")
                        .getCount())
                .isOne();
    }

    @Test
    void afterATimeOneCallTriesAgainAndAGoodAnswerBringsTheNodeBack() {
        tracesFail("a", 3);
        bench.pass(1_100);
        assertThat(chosen(TRACE, 1)).containsExactly("a");
        assertThat(chosen(TRACE, 10)).as("one call tries").containsExactly("far");
        ask("a", TRACE, GOOD);
        assertThat(chosen(TRACE, 10)).containsExactly("a");
        assertThat(bench.status("a").detail()).isEmpty();
    }

    @Test
    void theTimeDoublesWithEachTrialThatFails() {
        tracesFail("a", 3);
        for (long millis : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000}) {
            bench.pass(millis * 3 / 4);
            assertThat(chosen(TRACE, 10)).as("before %d ms", millis).containsExactly("far");
            bench.pass(millis / 4 + 50);
            assertThat(chosen(TRACE, 1)).as("after %d ms", millis).containsExactly("a");
            tracesFail("a", 1);
        }
    }

    @Test
    void itServesTheClassIfNoOtherNodeCan() {
        tracesFail("a", 3);
        tracesFail("far", 3);
        assertThat(chosen(TRACE, 10)).containsExactly("a");
        bench.upstream("far").drain(true);
        assertThat(chosen(TRACE, 10)).containsExactly("a");
    }

    @Test
    void faultsInARowOfAllClassesEjectTheWholeNode() {
        ask("a", TRACE, BAD);
        ask("a", BALANCE, BAD);
        ask("a", TRACE, BAD);
        assertThat(bench.health("a")).isEqualTo(Health.EJECTED);
    }
}
