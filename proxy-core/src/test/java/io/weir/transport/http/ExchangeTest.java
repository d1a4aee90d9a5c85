package io.weir.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.pipeline.RequestAnswer;
import io.weir.testing.NoLeaks;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.request.LoopTurns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@NoLeaks
class ExchangeTest {

    private final Budget budget = new Budget(1 << 22);
    private final LoopTurns turns = new LoopTurns();
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final Exchange exchange = new Exchange(AnswerStyle.LAST, budget.reserve("holder"), null);

    @AfterEach
    void everythingIsGivenBack() {
        exchange.release();
        assertThat(budget.taken()).isZero();
        channel.finishAndReleaseAll();
    }

    private void answer() {
        exchange.answer(new RequestAnswer.One(
                RawJson.of("1"), new RpcReply.Result(RawJson.of('"' + "x".repeat(300_000) + '"')), null));
    }

    private void begin(Runnable then) {
        channel.freezeTime();
        answer();
        exchange.compress(channel.pipeline().firstContext(), turns, then);
        assertThat(exchange.isReady()).isFalse();
        for (int i = 0; i < 20; i++) {
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void theAnswerIsReadyAfterSomeTurns() {
        boolean[] ready = {false};
        begin(() -> ready[0] = exchange.isReady());
        assertThat(ready[0]).isTrue();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void anAnswerIsNotCompressedIfItsHolderHasItsShare() {
        answer();
        budget.share("holder").tryTake(3_700_000);
        exchange.compress(channel.pipeline().firstContext(), turns, () -> {});
        assertThat(exchange.isReady()).isTrue();
        assertThat(exchange.pieces()).isNull();
        budget.share("holder").give(3_700_000);
    }

    @Test
    void aFailureClosesTheConnection() {
        begin(() -> {
            throw new IllegalStateException("of this test");
        });
        assertThat(channel.isOpen()).isFalse();
    }
}
