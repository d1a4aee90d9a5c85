package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.watch.KnownChain;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.FakeHead;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.verify.VerifyExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of single results. */
class JudgeCheckTest {

    private static final long HEAD = 1_000;
    /** So far below the head that a node which is late has it too. */
    private static final long OLD = HEAD - 64;

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final FakeHead head = new FakeHead(TimeUnit.MINUTES.toNanos(1), () -> 0);

    /** Returns what becomes of null for a block. */
    private NodeOutcome nothing(int nodes, long block) {
        String params = "[\"0x" + Long.toHexString(block) + "\",false]";
        return outcome(nodes, null, "eth_getBlockByNumber", params, RawJson.NULL);
    }

    private NodeOutcome outcome(
            int nodes, @Nullable VerifyExecutor executor, String method, String params, RawJson result) {
        head.named.add(HEAD);
        head.whenFresh(loop, 0, number -> {});
        assertThat(head.tracker().isDoubtful()).isFalse();
        NetworkConfig config = NetworkSettings.of("net", NetworkSettings.upstreams(nodes));
        KnownChain chain = KnownChain.of(config, new ChainView(), () -> 0);
        chain.follow(null, head.tracker());
        VerificationContext verification =
                VerificationContext.of(config, executor, null, (id, flaw, detail, costs) -> {}, chain, null);
        JudgeCheck check = new JudgeCheck(verification, MethodCatalogue.ethereum()::facts);
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), method, RawJson.of(params)),
                TestCaller.CLIENT,
                new NetworkId("net"),
                loop,
                0,
                0);
        List<NodeOutcome> outcomes = new ArrayList<>();
        check.check(context, "a", result, checked -> outcomes.add(checked.outcome()));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    private static RawJson logs(int count) {
        String log = "{\"address\":\"0x%040x\",\"topics\":[],\"blockNumber\":\"0x5\",\"blockHash\":\"0x%064x\""
                        .formatted(1, 2)
                + ",\"transactionHash\":\"0x%064x\",\"transactionIndex\":\"0x0\",\"logIndex\":\"0x".formatted(3);
        return RawJson.of(IntStream.range(0, count)
                .mapToObj(i -> log + Integer.toHexString(i) + "\"}")
                .collect(Collectors.joining(",", "[", "]")));
    }

    private static VerifyExecutor closed() {
        VerifyExecutor closed = new VerifyExecutor();
        closed.close();
        return closed;
    }

    @Test
    void aLargeListIsJudgedThoughTheThreadForThatTakesNothing() {
        for (int block : new int[] {1, 2}) {
            String params = "[{\"blockHash\":\"0x%064x\"}]".formatted(block);
            assertThat(outcome(2, closed(), "eth_getLogs", params, logs(1_000)))
                    .isInstanceOf(block == 2 ? Answered.class : Failed.class);
        }
    }

    @Test
    void aListOfMoreThanAMebibyteIsRefusedWhereNobodyHasTimeToJudgeIt() {
        RawJson logs = logs(4_000);
        assertThat(logs.length()).isGreaterThan(1 << 20);
        assertThat(outcome(2, closed(), "eth_getLogs", "[{\"blockHash\":\"0x%064x\"}]".formatted(2), logs))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.fault()).isEqualTo(Fault.UNCHECKED));
    }

    @Test
    void aNodeThatLacksARecentBlockIsBehindAndMakesTheHeadDoubtful() {
        assertThat(nothing(2, OLD + 1))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.fault()).isEqualTo(Fault.BEHIND));
        assertThat(head.tracker().isDoubtful()).isTrue();
    }

    @Test
    void aNodeThatLacksAnOldBlockSaysNothingAboutTheHead() {
        assertThat(nothing(2, OLD))
                .isInstanceOfSatisfying(
                        Answered.class, answered -> assertThat(answered.reply()).isInstanceOf(RpcReply.Failure.class));
        assertThat(head.tracker().isDoubtful()).isFalse();
    }

    @Test
    void aLoneNodeThatLacksAnOldBlockMayHaveBeenReset() {
        assertThat(nothing(1, OLD)).isEqualTo(new Answered(new RpcReply.Result(RawJson.NULL)));
        assertThat(head.tracker().isDoubtful()).isTrue();
    }
}
