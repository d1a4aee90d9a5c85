package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node may have mined a transaction, so the head is requested again whatever the outcome of the write. */
class WriteStageTest {

    private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private long now = 1;
    private final HeadTracker head = new HeadTracker(TimeUnit.MINUTES.toNanos(1), () -> now);
    private final List<ReplySink> nodes = new ArrayList<>();
    private final List<RpcReply> replies = new ArrayList<>();
    private final WriteStage stage = new WriteStage(head, (context, sink) -> nodes.add(sink));

    @BeforeEach
    void theHeadIsFresh() {
        confirm();
        assertThat(head.fresh()).isTrue();
    }

    private void confirm() {
        HeadRound round = head.begin();
        head.named(round, 7, true);
        head.end(round, true);
    }

    private void write() {
        RpcCall call = new RpcCall(RawJson.of("1"), "eth_sendRawTransaction", RawJson.of("[\"0x01\"]"));
        stage.handle(
                new CallContext(
                        call, Caller.PROXY, new NetworkId("n"), new EmbeddedChannel().eventLoop(), 0, Long.MAX_VALUE),
                replies::add);
    }

    @Test
    void theHeadIsDoubtfulWhileAWriteIsInFlight() {
        write();

        assertThat(nodes).hasSize(1);
        assertThat(head.fresh()).isFalse();
    }

    @Test
    void aRoundThatBeganBeforeTheWriteDoesNotEndTheDoubt() {
        HeadRound early = head.begin();
        write();
        head.named(early, 7, true);
        head.end(early, true);

        assertThat(head.fresh()).isFalse();
        assertThat(head.covers(early)).isFalse();
    }

    @Test
    void theAnswerToAWritePutsTheHeadInDoubtAgain() {
        write();
        confirm();
        assertThat(head.fresh())
                .as("asked for since, and the write is not answered")
                .isTrue();
        nodes.get(0).accept(new RpcReply.Result(RawJson.of("\"0xabc\"")));

        assertThat(head.fresh()).isFalse();
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("\"0xabc\"")));
    }

    @Test
    void aRoundThatBeginsAMomentAfterTheAnswerDoesNotEndTheDoubt() {
        write();
        nodes.get(0).accept(new RpcReply.Result(RawJson.of("\"0xabc\"")));
        now += SETTLING_NANOS - 1;
        confirm();
        assertThat(head.fresh()).isFalse();

        now++;
        confirm();
        assertThat(head.fresh()).isTrue();
    }

    @Test
    void aWriteThatFailsPutsTheHeadInDoubtToo() {
        write();
        confirm();
        nodes.get(0).accept(RpcReply.failure(new RpcError(-32603, "Internal error", null)));

        assertThat(head.fresh()).isFalse();
    }
}
