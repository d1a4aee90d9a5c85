package io.weir.transport.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class HeapAnswerTest {

    private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
    private static final int STEP = 1 << 17;

    private final Random random = new Random(1);
    private final byte[] text = new byte[1_000_000];

    /** A socket that accepts a given amount of each piece, and records what it got. */
    private static final class Socket implements WritableByteChannel {

        private final IntUnaryOperator takes;
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final List<Integer> offered = new ArrayList<>();

        Socket(IntUnaryOperator takes) {
            this.takes = takes;
        }

        @Override
        public int write(ByteBuffer piece) {
            assertThat(piece.isDirect()).isTrue();
            offered.add(piece.remaining());
            byte[] part = new byte[takes.applyAsInt(piece.remaining())];
            piece.get(part);
            taken.writeBytes(part);
            return part.length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private HeapAnswer answer() {
        random.nextBytes(text);
        ByteBuf head = ALLOCATOR.directBuffer().writeBytes(text, 0, 300);
        ByteBuf whole = ALLOCATOR
                .compositeBuffer(Integer.MAX_VALUE)
                .addComponent(true, head)
                .addComponent(true, Unpooled.wrappedBuffer(text, 300, 400_000))
                .addComponent(true, Unpooled.wrappedBuffer(text, 400_300, text.length - 400_300));
        return (HeapAnswer) HttpAnswers.message(whole, ALLOCATOR);
    }

    private static void send(HeapAnswer answer, Socket socket) throws IOException {
        while (answer.transferred() < answer.count()) {
            long before = answer.transferred();
            long taken = answer.transferTo(socket, before);
            assertThat(answer.transferred()).isEqualTo(before + taken);
        }
    }

    @Test
    void allOfItArrivesHoweverLittleTheSocketTakes() throws IOException {
        Socket socket = new Socket(offered -> random.nextInt(offered + 1));
        HeapAnswer answer = answer();
        send(answer, socket);
        assertThat(socket.taken.toByteArray()).isEqualTo(text);
        assertThat(answer.release()).isTrue();
    }

    @Test
    void itIsGivenInStepsAndTheLastIsTheRest() throws IOException {
        Socket socket = new Socket(offered -> offered);
        HeapAnswer answer = answer();
        send(answer, socket);
        assertThat(socket.taken.toByteArray()).isEqualTo(text);
        assertThat(socket.offered).hasSize(8).startsWith(STEP).endsWith(text.length % STEP);
        answer.release();
    }

    @Test
    void aFullSocketIsTestedWithFewBytesUntilItAcceptsThemAll() throws IOException {
        Iterator<Integer> room = List.of(STEP - 1, 0, 0).iterator();
        Socket socket = new Socket(offered -> room.hasNext() ? Math.min(offered, room.next()) : offered);
        HeapAnswer answer = answer();
        send(answer, socket);
        assertThat(socket.offered).startsWith(STEP, STEP / 8, STEP / 8, STEP / 8, STEP / 4, STEP / 2, STEP, STEP);
        answer.release();
    }

    @Test
    void itsBuffersAreReleasedWithIt() {
        ByteBuf head = ALLOCATOR.directBuffer().writeInt(1);
        ByteBuf whole =
                ALLOCATOR.compositeBuffer().addComponent(true, head).addComponent(true, Unpooled.wrappedBuffer(text));
        HeapAnswer answer = (HeapAnswer) HttpAnswers.message(whole, ALLOCATOR);
        assertThat(answer.retain().release()).isFalse();
        assertThat(answer.release()).isTrue();
        assertThat(head.refCnt()).isZero();
    }

    @Test
    void answersOutsideTheHeapAreSentUnchanged() {
        ByteBuf small = ALLOCATOR.directBuffer().writeInt(1);
        assertThat(HttpAnswers.message(small, ALLOCATOR)).isSameAs(small);
        small.release();
    }

    @Test
    void aChannelCountsItAsBytesThatWait() {
        HeapAnswer answer = answer();
        assertThat(HttpAnswers.SIZES.newHandle().size(answer)).isEqualTo(text.length);
        ByteBuf other = ALLOCATOR.directBuffer().writeInt(1);
        assertThat(HttpAnswers.SIZES.newHandle().size(other)).isEqualTo(4);
        other.release();
        answer.release();
    }
}
