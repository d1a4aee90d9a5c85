package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node whose error says that it is at fault may have carried the call out before it failed. */
class NodeFaultTest {

    private final PoolBench bench = new PoolBench();
    private FakeNode a;
    private FakeNode b;

    @BeforeEach
    void begin() {
        a = bench.node("a", 0, 1);
        b = bench.node("b", 1, 1);
        bench.begin();
    }

    @ParameterizedTest
    @CsvSource({"-32603, Internal error", "-32603, internal server error", "-32000, context deadline exceeded"})
    void theFaultOfANodeLeavesItOpenWhetherTheCallWasCarriedOut(int code, String message) {
        List<NodeOutcome> outcomes = bench.ask("a");
        a.calls.remove().end(error(code, message));

        Failed failed = (Failed) outcomes.get(0);
        assertThat(failed.fault()).isEqualTo(Fault.SERVER_ERROR);
        assertThat(failed.executed()).isEqualTo(Executed.MAYBE);
    }

    @ParameterizedTest
    @CsvSource({"vendor_transfer", "eth_sendTransaction"})
    void aWriteIsNotSentToASecondNodeAfterTheFaultOfTheFirst(String method) {
        List<RpcReply> replies = send(method, false);
        a.calls.remove().end(error(-32603, "Internal error"));
        bench.settle();

        assertThat(b.calls).isEmpty();
        assertThat(replies).singleElement().isInstanceOf(RpcReply.Failure.class);
    }

    @ParameterizedTest
    @CsvSource({"eth_getBalance"})
    void aCallThatIsSafeToRepeatMovesOnToTheNextNode(String method) {
        List<RpcReply> replies = send(method, true);
        a.calls.remove().end(error(-32603, "Internal error"));
        bench.settle();
        b.calls.remove().end(FakeNode.answer("\"0x5\""));
        bench.settle();

        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("\"0x5\"")));
    }

    private List<RpcReply> send(String method, boolean repeatable) {
        NetworkId network = new NetworkId("net");
        long now = bench.ticker.nanoTime();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), method, RawJson.of("[]")),
                Caller.PROXY,
                network,
                bench.loop,
                now,
                System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        List<RpcReply> replies = new ArrayList<>();
        TestForwarding.forwarding(bench.pool, bench.registry)
                .over(bench.pool, repeatable)
                .handle(context, replies::add);
        bench.settle();
        return replies;
    }

    private static Answered error(int code, String message) {
        return new Answered(RpcReply.failure(new RpcError(code, message, null)));
    }
}
