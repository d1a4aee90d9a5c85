package io.weir.transport.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.weir.limit.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {

    private static final String REQUEST =
            "POST / HTTP/1.1\r\nHost: a\r\nX:  b c \r\nContent-Length: 6\r\n\r\n\r\n x\r\n";
    private static final String FOLDED =
            "POST / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\nContent-Length: 6\r\n\r\n\r\n x\r\n";

    private static final ListenerLimits LIMITS = new ListenerLimits(20, 1000, 1000, 0, 10_000, 1, 1);

    private final Budget bytes = new Budget(1 << 20);
    private final RequestDecoder decoder =
            new RequestDecoder(LIMITS, new RequestHeadAccount(bytes.reserve(), null), new Backlog(false));
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    @AfterEach
    void stop() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void requestsAreReadAlikeHoweverTheirBytesAreSplit(long seed) {
        Random random = new Random(seed);
        String all = REQUEST + REQUEST + FOLDED;
        List<String> read = new ArrayList<>();
        for (int at = 0; at < all.length(); ) {
            int end = seed == 0 ? at + 1 : Math.min(all.length(), at + 1 + random.nextInt(60));
            write(all.substring(at, end));
            drain(read);
            at = end;
        }
        assertThat(read).as("seed %d", seed).containsExactly("good", "end", "good", "end", "bad", "end");
        assertThat(decoder.ended()).isEqualTo(3);
        assertThat(decoder.isMidRequest()).isFalse();
    }

    @Test
    void itKnowsWhetherARequestHasBegun() {
        assertThat(decoder.isMidRequest()).isFalse();
        write("P");
        assertThat(decoder.isMidRequest()).isTrue();
        write("OST / HTTP/1.1\r\n");
        assertThat(decoder.isMidRequest()).isTrue();
        write("Host: a\r\nContent-Length: 2\r\n\r\n");
        assertThat(decoder.isMidRequest()).isTrue();
        write("{");
        assertThat(decoder.isMidRequest()).isTrue();
        write("}");
        assertThat(decoder.isMidRequest()).isFalse();
        write(REQUEST + "G");
        assertThat(decoder.isMidRequest()).isTrue();
    }

    /** Whatever heads are made of: few lines stay in memory, all of it is counted, and nothing stays counted. */
    @Test
    void headsOfAnyShapeStayWithinTheirBoundsAndAreGivenBack() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            Budget budget = new Budget(1 << 20);
            RequestHeadAccount account = new RequestHeadAccount(budget.reserve(), null);
            EmbeddedChannel one = new EmbeddedChannel(new RequestDecoder(LIMITS, account, new Backlog(false)));
            String request = HeadShapes.random(random);
            String what = "seed " + seed + ", round " + round + ": " + request;
            boolean ended = false;
            for (int at = 0; at < request.length() && !ended; ) {
                int end = Math.min(request.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 400));
                one.writeInbound(Unpooled.copiedBuffer(request.substring(at, end), ISO_8859_1));
                at = end;
                for (HttpObject part = one.readInbound(); part != null; part = one.readInbound()) {
                    ended |= part.decoderResult().isFailure();
                    assertThat(HeadShapes.lines(part)).as(what).isLessThanOrEqualTo(20);
                    ReferenceCountUtil.release(part);
                }
                assertThat(budget.taken()).as(what).isLessThan(30_000);
            }
            if (HeadShapes.isOverBounds(request, 20, 1000)) {
                assertThat(ended).as(what).isTrue();
            }
            one.finishAndReleaseAll();
            assertThat(budget.taken()).as(what).isZero();
        }
    }

    @Test
    void requestsThatWaitStayCountedBehindOneWithAFault() {
        Budget budget = new Budget(1 << 20);
        RequestHeadAccount account = new RequestHeadAccount(budget.reserve(), null);
        RequestDecoder waiting = new RequestDecoder(LIMITS, account, new Backlog(true));
        EmbeddedChannel one = new EmbeddedChannel(waiting);
        one.writeInbound(Unpooled.copiedBuffer(REQUEST + REQUEST, ISO_8859_1));
        long two = budget.taken();
        one.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n", ISO_8859_1));
        assertThat(two).isPositive();
        assertThat(budget.taken()).as("the request without a host").isGreaterThanOrEqualTo(two);
        waiting.endWait();
        assertThat(budget.taken()).isZero();
        one.finishAndReleaseAll();
    }

    private void write(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
    }

    private void drain(List<String> read) {
        for (HttpObject part = channel.readInbound(); part != null; part = channel.readInbound()) {
            if (part instanceof HttpRequest) {
                read.add(part.decoderResult().isSuccess() ? "good" : "bad");
            }
            if (part instanceof LastHttpContent) {
                read.add("end");
            }
            ReferenceCountUtil.release(part);
        }
    }

    /** A connection on which requests wait, or none does. */
    private record Backlog(boolean isWaiting) implements RequestDecoder.Backlog {

        @Override
        public void discard() {
            throw new AssertionError("there is room");
        }
    }
}
