package io.weir.pipeline.gas;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.gas.GasCapStage.PolledGasLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolledGasLimitTest {

    private static final EventLoop LOOP = new EmbeddedChannel().eventLoop();

    private final AtomicLong clock = new AtomicLong();
    private final List<String> asked = new ArrayList<>();
    private final List<ReplySink> sinks = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final PolledGasLimit limit = new PolledGasLimit(
            new NetworkId("test"),
            (context, sink) -> {
                asked.add(context.call().method() + context.call().params());
                sinks.add(sink);
            },
            clock::get);

    @Test
    void oneRequestAnswersAllWaitingCalls() {
        limit.refresh(LOOP, () -> told.add("first"));
        limit.refresh(LOOP, () -> told.add("second"));
        assertThat(asked).containsExactly("eth_getBlockByNumber[\"latest\",false]");
        assertThat(told).isEmpty();

        answer("{\"transactions\":[{\"gasLimit\":\"0x1\"}],\"gasLimit\" : \"0x1c9c380\"}");

        assertThat(told).containsExactlyInAnyOrder("first", "second");
        assertThat(limit.last()).isEqualTo(30_000_000);
    }

    @Test
    void itIsFreshForAFewSeconds() {
        assertThat(limit.isFresh()).isFalse();

        limit.refresh(LOOP, () -> {});
        answer("{\"gasLimit\":\"0x1\"}");

        assertThat(limit.isFresh()).isTrue();
        clock.set(TimeUnit.SECONDS.toNanos(3));
        assertThat(limit.isFresh()).isFalse();
        assertThat(limit.last()).isEqualTo(1);

        limit.refresh(LOOP, () -> {});
        answer("{\"gasLimit\":\"0x2\"}");
        assertThat(limit.last()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"gasLimit\":1}", "{\"gasLimit\":\"0x10000000000000000\"}", "\"0x1\""})
    void anAnswerWithoutALimitKeepsTheKnownOneAndIsNotRequestedAgainAtOnce(String answer) {
        limit.refresh(LOOP, () -> {});
        answer("{\"gasLimit\":\"0x5\"}");
        clock.set(TimeUnit.SECONDS.toNanos(60));

        limit.refresh(LOOP, () -> told.add("told"));
        answer(answer);

        assertThat(told).containsExactly("told");
        assertThat(limit.last()).isEqualTo(5);
        assertThat(limit.isFresh()).isTrue();
    }

    @Test
    void aFailureEndsTheWaitToo() {
        limit.refresh(LOOP, () -> told.add("told"));
        sinks.remove(0).accept(RpcReply.unavailable("no usable upstream"));

        assertThat(told).containsExactly("told");
        assertThat(limit.last()).isZero();
        assertThat(limit.isFresh()).isTrue();
    }

    private void answer(String block) {
        sinks.remove(0).accept(new RpcReply.Result(RawJson.of(block)));
    }
}
