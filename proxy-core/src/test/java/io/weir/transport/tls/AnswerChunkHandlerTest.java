package io.weir.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.transport.answer.HttpAnswers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerChunkHandlerTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new AnswerChunkHandler());

    private Object answer(ByteBuf bytes) {
        return HttpAnswers.message(bytes, channel.alloc());
    }

    @Test
    void answersThatWaitAreReleasedWithTheConnectionAndSoIsOneThatFollowsThem() {
        ByteBuf first = Unpooled.wrappedBuffer(new byte[1 << 20]);
        ByteBuf second = Unpooled.wrappedBuffer(new byte[1 << 20]);
        List<Throwable> failures = new ArrayList<>();
        // As the next of several pipelined requests is answered once the one before it has ended.
        channel.write(answer(first)).addListener(ended -> {
            failures.add(ended.cause());
            channel.write(answer(second)).addListener(next -> failures.add(next.cause()));
        });
        channel.close();
        channel.runPendingTasks();
        assertThat(failures).hasSize(2).doesNotContainNull();
        assertThat(first.refCnt()).isZero();
        assertThat(second.refCnt()).isZero();
    }

    @Test
    void anAnswerIsReleasedIfTheConnectionWasClosed() {
        channel.close();
        ByteBuf late = Unpooled.wrappedBuffer(new byte[1 << 20]);
        assertThat(channel.write(answer(late)).isSuccess()).isFalse();
        assertThat(late.refCnt()).isZero();
    }
}
