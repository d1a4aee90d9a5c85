package io.weir.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.GzipPieces;
import io.weir.transport.request.LoopTurns;
import io.weir.upstream.FakeStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@NoLeaks
class CompressedAnswerTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final Budget budget = new Budget(1 << 20);
    private final FakeStream stream = new FakeStream();
    private final List<Boolean> ends = new ArrayList<>();
    private CompressedAnswer answer;

    /** A piece that cannot be read. */
    private static final class Broken extends UnpooledHeapByteBuf {

        Broken() {
            super(UnpooledByteBufAllocator.DEFAULT, 16, 16);
            writeZero(16);
        }

        @Override
        public ByteBuffer nioBuffer(int index, int length) {
            throw new IllegalStateException("of this test");
        }
    }

    @BeforeEach
    void begin() {
        channel.freezeTime();
        GzipPieces gzip = Objects.requireNonNull(GzipPieces.open(budget.reserve()));
        answer = new CompressedAnswer(
                channel.pipeline().firstContext(),
                stream,
                new byte[] {'{'},
                ends::add,
                AnswerStyle.Streaming.CHUNKS,
                gzip,
                new LoopTurns());
        answer.begin(Unpooled.wrappedBuffer(GzipPieces.header()), GzipPieces.header().length);
        turn();
    }

    @AfterEach
    void everythingIsGivenBack() {
        answer.close();
        assertThat(budget.taken()).isZero();
        assertThat(stream.isClosed()).isTrue();
        channel.finishAndReleaseAll();
    }

    private void turn() {
        for (int i = 0; i < 5; i++) {
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void aPieceThatCannotBeCompressedBreaksTheAnswerOff() {
        ByteBuf broken = new Broken();
        answer.take(broken);
        turn();
        assertThat(ends).containsExactly(false);
        answer.close();
        assertThat(broken.refCnt()).isZero();
        answer.take(Unpooled.wrappedBuffer(new byte[10]));
        turn();
        assertThat(ends).as("told once").containsExactly(false);
    }

    @Test
    void theNodeIsHeldWhileAPieceIsLeftToCompress() {
        assertThat(stream.isPaused()).isFalse();
        answer.take(Unpooled.wrappedBuffer(new byte[10_000]));
        assertThat(stream.isPaused()).isTrue();
        turn();
        assertThat(stream.isPaused()).isFalse();
        answer.ended(true);
        turn();
        assertThat(ends).containsExactly(true);
    }
}
