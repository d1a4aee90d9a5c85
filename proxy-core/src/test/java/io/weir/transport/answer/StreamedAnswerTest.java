package io.weir.transport.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes that may wait for a client's socket, during a stream and after it. */
@NoLeaks
class StreamedAnswerTest {

    private static final WriteBufferWaterMark USUAL = new WriteBufferWaterMark(1_000_000, 2_000_000);

    /** Whether the client's socket takes nothing. */
    private boolean full;

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter()) {
        @Override
        protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
            if (!full) {
                super.doWrite(waiting);
            }
        }
    };

    /** An answer without any protocol around it. */
    private static final class Plain extends StreamedAnswer {

        Plain(ChannelHandlerContext ctx, FakeStream stream) {
            super(ctx, stream, whole -> {});
        }

        @Override
        protected void writePiece(ByteBuf piece) {
            write(piece, piece.readableBytes());
        }

        @Override
        public ChannelFuture end() {
            return writeLast(buffer(AFTER_RESULT), AFTER_RESULT.length);
        }
    }

    @BeforeEach
    void setUsual() {
        channel.config().setWriteBufferWaterMark(USUAL);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private Plain begun(FakeStream stream) {
        Plain answer = new Plain(channel.pipeline().firstContext(), stream);
        answer.begin(Unpooled.wrappedBuffer(new byte[] {'{'}), 1);
        return answer;
    }

    private int high() {
        return channel.config().getWriteBufferWaterMark().high();
    }

    @Test
    void aStreamHasAWindowOfItsOwnAndTheNextAnswersHaveTheUsualBound() {
        for (int i = 0; i < 2; i++) {
            Plain answer = begun(new FakeStream());
            assertThat(high()).isLessThan(USUAL.low());
            answer.end();
            assertThat(channel.config().getWriteBufferWaterMark()).isEqualTo(USUAL);
        }
    }

    @Test
    void readingFromTheNodePausesWhileTheWindowIsFull() {
        FakeStream stream = new FakeStream();
        Plain answer = begun(stream);
        assertThat(stream.isPaused()).isFalse();
        full = true;
        fill(answer);
        answer.follow();
        assertThat(stream.isPaused()).isTrue();
        full = false;
        channel.flush();
        answer.follow();
        assertThat(stream.isPaused()).isFalse();
    }

    @Test
    void aFullWindowIsSentEvenIfTheNodeHasNothingMoreToSay() {
        FakeStream stream = new FakeStream();
        Plain answer = begun(stream);
        fill(answer);
        answer.follow();
        assertThat(channel.outboundMessages()).isNotEmpty();
        assertThat(stream.isPaused()).isFalse();
    }

    private void fill(Plain answer) {
        int step = 10_000;
        for (int waiting = 0; waiting <= high(); waiting += step) {
            answer.take(Unpooled.wrappedBuffer(new byte[step]));
        }
    }
}
