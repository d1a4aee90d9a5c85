package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.head.WriteStage.ChainChangeStage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChainChangeStageTest {

    private final HeadTracker head = new HeadTracker(TimeUnit.MINUTES.toNanos(1), () -> 1);
    private final AtomicInteger forgotten = new AtomicInteger();
    private final MiningOnDemand mining = new MiningOnDemand("1", false, () -> 1);

    @BeforeEach
    void theHeadIsFresh() {
        HeadMoment round = head.now();
        head.named(round, 7, true);
        head.end(round, 7, true);
        assertThat(head.fresh()).isTrue();
    }

    private void call(String method, RpcReply reply) {
        List<RpcReply> replies = new ArrayList<>();
        new ChainChangeStage(head, mining, forgotten::incrementAndGet, (context, sink) -> sink.accept(reply))
                .handle(
                        new CallContext(
                                new RpcCall(RawJson.of("1"), method, RawJson.EMPTY_ARRAY),
                                Caller.PROXY,
                                new NetworkId("n"),
                                new EmbeddedChannel().eventLoop(),
                                0,
                                Long.MAX_VALUE),
                        replies::add);
        assertThat(replies).containsExactly(reply);
    }

    @Test
    void aChangeMakesTheHeadDoubtful() {
        call("evm_mine", new RpcReply.Result(RawJson.of("\"0x0\"")));
        assertThat(head.fresh()).isFalse();
        assertThat(mining.isCertain()).isTrue();
    }

    @Test
    void aChangeThatMayHaveHappenedMakesTheHeadDoubtful() {
        call("evm_mine", RpcReply.unavailable("no answer in time"));
        assertThat(head.fresh()).isFalse();
        assertThat(mining.isCertain()).isFalse();
    }

    @Test
    void aNodeWithoutTheMethodChangedNothing() {
        call("evm_mine", RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("no such method")));
        assertThat(head.fresh()).isTrue();
        assertThat(mining.isCertain()).isFalse();
    }

    @Test
    void resultsAreForgottenOnlyAfterAChangeOfExistingBlocks() {
        call("evm_mine", new RpcReply.Result(RawJson.of("\"0x0\"")));
        call("anvil_setBalance", RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("no such method")));
        assertThat(forgotten).hasValue(0);
        call("anvil_setBalance", new RpcReply.Result(RawJson.NULL));
        assertThat(forgotten).hasValue(1);
        call("evm_revert", RpcReply.unavailable("no answer in time"));
        assertThat(forgotten).hasValue(2);
    }
}
