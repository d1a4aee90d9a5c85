package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.weir.framing.HeadCache.Repeated;
import io.weir.limit.Budget;
import io.weir.metrics.Meters;
import io.weir.testing.NoLeaks;
import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.link.NodeAnswerDecoder.NodeAnswerHead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much is unpacked at once, and what becomes of what waits. */
@NoLeaks
class AnswerUnpackerTest {

    private static final int TURN_BYTES = 1 << 17;
    private static final int PIECE_BYTES = 1 << 14;
    private static final int SIZE = 20_000_000;

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final ChannelHandlerContext context = channel.pipeline().firstContext();
    private final Budget bytes = new Budget(1 << 20);
    private final FakeConnection connection = new FakeConnection();
    private AnswerUnpacker unpacker = unpacker(1 << 30);

    private AnswerUnpacker unpacker(int maxResponseBytes) {
        StreamLimit streams = new StreamLimit(0, new Meters(new MetricRegistry()));
        LinkLimits limits = new LinkLimits(
                1, 1, 1, 60_000, 60_000, 60_000, maxResponseBytes, Integer.MAX_VALUE, Long.MAX_VALUE, bytes, streams);
        return new AnswerUnpacker(connection, new AnswerResources(channel.eventLoop(), limits));
    }

    /** A connection that counts what it gets. Confined to one thread. */
    private static final class FakeConnection implements AnswerUnpacker.Taker {
        private final List<String> events = new ArrayList<>();
        private long taken;
        private int largest;

        @Override
        public void accept(ChannelHandlerContext ctx, Object message) {
            if (message instanceof NodeAnswerHead) {
                events.add("head");
            } else if (message instanceof HttpContent content) {
                taken += content.content().readableBytes();
                largest = Math.max(largest, content.content().readableBytes());
                if (content.decoderResult().isFailure()) {
                    events.add("broken");
                } else if (content instanceof LastHttpContent) {
                    events.add("whole");
                }
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void flush() {}

        @Override
        public void refuse(Failed flaw) {
            events.add("refused");
        }

        @Override
        public void ended() {
            events.add("ended");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            events.add(cause.toString());
        }

        @Override
        public boolean awaitsAnswer() {
            return true;
        }
    }

    /** An allocator without memory. Thread-safe. */
    private static final class ExhaustedAllocator extends AbstractByteBufAllocator {

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("of a test");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("of a test");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @AfterEach
    void nothingStaysCounted() {
        unpacker.drop();
        channel.finishAndReleaseAll();
        assertThat(bytes.taken()).isZero();
    }

    @Test
    void aReadThatUnpacksToManyBytesLeavesTheLoopTimeForOthers() throws Exception {
        for (int chunk : new int[] {1, 100, 1 << 16}) {
            connection.taken = 0;
            connection.events.clear();
            read(bomb(), chunk);
            assertThat(connection.taken)
                    .as("chunks of %d", chunk)
                    .isBetween((long) TURN_BYTES, TURN_BYTES + (long) PIECE_BYTES);
            assertThat(channel.config().isAutoRead()).isFalse();
            runTurns();
            assertThat(connection.taken).isEqualTo(SIZE);
            assertThat(connection.largest).isLessThanOrEqualTo(PIECE_BYTES);
            assertThat(connection.events).containsExactly("head", "whole");
            assertThat(channel.config().isAutoRead()).isTrue();
        }
    }

    @Test
    void nothingIsUnpackedWhileTheConnectionIsPaused() throws Exception {
        unpacker.read(false);
        read(bomb(), 1);
        runTurns();
        assertThat(connection.taken).isZero();
        unpacker.read(true);
        runTurns();
        assertThat(connection.taken).isEqualTo(SIZE);
        assertThat(connection.events).containsExactly("head", "whole");
    }

    @Test
    void theEndOfTheConnectionIsToldBehindWhatWaits() throws Exception {
        unpacker.read(false);
        read(bomb(), 1 << 10);
        unpacker.ended();
        runTurns();
        assertThat(connection.events).isEmpty();
        unpacker.read(true);
        runTurns();
        assertThat(connection.events).containsExactly("head", "whole", "ended");
    }

    @Test
    void theEndOfTheConnectionIsToldAtOnceIfNothingWaits() throws Exception {
        byte[] small = ScriptedAnswers.gzip("{}".getBytes(US_ASCII));
        read(small, small.length);
        unpacker.ended();
        assertThat(connection.events).containsExactly("head", "whole", "ended");
    }

    @Test
    void whatWaitsIsDroppedWithTheConnection() throws Exception {
        read(bomb(), 1 << 10);
        assertThat(bytes.taken()).isPositive();
        unpacker.drop();
        assertThat(bytes.taken()).isZero();
        unpacker.ended();
        runTurns();
        assertThat(connection.events).containsExactly("head", "ended");
    }

    @Test
    void aPieceThatCannotBeKeptForLackOfMemoryIsReleased() {
        byte[] packed = new byte[2];
        HttpContent second = content(packed, 1, 1);
        unpacker.take(context, head(-1));
        unpacker.read(false);
        unpacker.take(context, content(packed, 0, 1));
        channel.config().setAllocator(new ExhaustedAllocator());

        assertThatThrownBy(() -> unpacker.take(context, second)).isInstanceOf(OutOfMemoryError.class);
        assertThat(second.refCnt()).isZero();
    }

    @Test
    void theEndOfAnAnswerWithinAMemberIsToldAsBroken() throws Exception {
        byte[] packed = bomb();
        read(Arrays.copyOf(packed, packed.length - 1), 1 << 10);
        runTurns();
        assertThat(connection.events).containsExactly("head", "broken");
    }

    @Test
    void withoutBudgetALargeAnswerIsRefusedAndASmallOneIsNot() throws Exception {
        bytes.take(1 << 20);
        unpacker.take(context, head(1 << 20));
        assertThat(connection.events).containsExactly("head", "refused");
        unpacker.drop();
        connection.events.clear();
        byte[] small = ScriptedAnswers.gzip("{}".getBytes(US_ASCII));
        unpacker.take(context, head(small.length));
        unpacker.take(context, content(small, 0, small.length));
        unpacker.take(context, LastHttpContent.EMPTY_LAST_CONTENT);
        unpacker.take(context, new Repeated<>(head(-1), Unpooled.wrappedBuffer(small)));
        assertThat(connection.events).containsExactly("head", "whole", "head", "whole");
        bytes.give(1 << 20);
    }

    @Test
    void anAnswerLargerThanOneThatIsCollectedIsUnpackedUnlessItIsMadeToFillMemory() throws Exception {
        unpacker = unpacker(1 << 12);
        byte[] text = new byte[1 << 20];
        Random random = new Random(7);
        for (int i = 0; i < text.length; i++) {
            // Fifty times as many zeros as digits that cannot be packed.
            text[i] = (byte) (i % 50 == 0 ? Character.forDigit(random.nextInt(16), 16) : '0');
        }
        read(ScriptedAnswers.gzip(text), 1 << 10);
        runTurns();
        assertThat(connection.events).containsExactly("head", "whole");
        assertThat(connection.taken).isEqualTo(text.length);

        connection.events.clear();
        read(bomb(), 1 << 10);
        runTurns();
        assertThat(connection.events).startsWith("head", "refused");
        assertThat(connection.taken).isLessThan(2L * text.length);
    }

    /** Each turn of the loop schedules the next one. */
    private void runTurns() {
        for (int i = 0; i <= SIZE / TURN_BYTES + 1; i++) {
            channel.runPendingTasks();
        }
    }

    /** Reads a whole answer at once. */
    private void read(byte[] packed, int chunk) {
        unpacker.readComplete();
        unpacker.take(context, head(-1));
        for (int at = 0; at < packed.length; at += chunk) {
            unpacker.take(context, content(packed, at, Math.min(chunk, packed.length - at)));
        }
        unpacker.take(context, LastHttpContent.EMPTY_LAST_CONTENT);
        unpacker.readComplete();
    }

    private static NodeAnswerHead head(int length) {
        return new NodeAnswerHead(200, null, false, length, true, true);
    }

    private static HttpContent content(byte[] packed, int from, int length) {
        ByteBuf content = Unpooled.buffer(length).writeBytes(packed, from, length);
        return new DefaultHttpContent(content);
    }

    private static byte[] bomb() throws Exception {
        byte[] text = new byte[SIZE];
        Arrays.fill(text, (byte) 'x');
        return ScriptedAnswers.gzip(text);
    }
}
