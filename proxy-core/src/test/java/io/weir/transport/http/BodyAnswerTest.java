package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.testing.NoLeaks;
import io.weir.transport.answer.AnswerStyle;
import io.weir.upstream.FakeStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@NoLeaks
class BodyAnswerTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final FullMemory memory = new FullMemory();
    private BodyAnswer answer;

    /** Memory that is exhausted after a number of buffers. Confined to one thread. */
    private static final class FullMemory extends AbstractByteBufAllocator {
        private final List<ByteBuf> given = new ArrayList<>();
        private int left = Integer.MAX_VALUE;

        FullMemory() {
            super(true);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (left == 0) {
                throw new OutOfMemoryError("of this test");
            }
            left--;
            ByteBuf made = UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
            given.add(made);
            return made;
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @BeforeEach
    void begin() {
        channel.config().setAllocator(memory);
        answer = new BodyAnswer(
                channel.pipeline().firstContext(), new FakeStream(), whole -> {}, AnswerStyle.Streaming.CHUNKS);
        answer.begin(Unpooled.wrappedBuffer("head".getBytes(US_ASCII)), 4);
    }

    @AfterEach
    void close() {
        answer.close();
        channel.flushOutbound();
        channel.finishAndReleaseAll();
    }

    @Test
    void aPieceIsAChunk() {
        answer.take(Unpooled.directBuffer().writeBytes("0123456789abcdef".getBytes(US_ASCII)));
        answer.end();
        StringBuilder sent = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            sent.append(next.toString(US_ASCII));
            next.release();
        }
        assertThat(sent).hasToString("head10\r\n0123456789abcdef\r\n1\r\n}\r\n0\r\n\r\n");
    }

    @Test
    void aPieceWithoutMemoryForTheHeadOfItsChunkIsReleased() {
        memory.left = 0;
        ByteBuf piece = Unpooled.directBuffer().writeZero(16);
        assertThatThrownBy(() -> answer.take(piece)).isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
    }

    @Test
    void theEndWithoutMemoryForTheHeadOfItsChunkIsReleased() {
        memory.left = 1;
        assertThatThrownBy(() -> answer.end()).isInstanceOf(OutOfMemoryError.class);
        assertThat(memory.given).hasSize(1).allMatch(buffer -> buffer.refCnt() == 0);
    }
}
