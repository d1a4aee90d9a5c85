package io.weir.transport.answer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.answer.AnswerStyle.Streaming;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Part;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HttpAnswersTest {

    private Instant now = Instant.parse("1994-11-06T08:49:37.999Z");
    private final HttpAnswers answers = new HttpAnswers(new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.ofHours(5);
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return now;
        }
    });

    @Test
    void theDateIsThatOfRfc9110AndFollowsTheClock() {
        assertThat(new String(answers.date(), US_ASCII)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
        byte[] same = answers.date();
        assertThat(answers.date()).isSameAs(same);
        now = now.plusMillis(1);
        assertThat(new String(answers.date(), US_ASCII)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
    }

    @Test
    void aHitSaysThatItWasOneAndWhatWasJudgedOfIt() {
        assertThat(linesOfTheCall(trace -> {
                    trace.markJudged();
                    trace.markHit("");
                }))
                .containsExactly("Cache-Status: weir; hit", "Weir-Verified: form");
        assertThat(linesOfTheCall(trace -> trace.markHit(""))).containsExactly("Cache-Status: weir; hit");
        assertThat(linesOfTheCall(trace -> {
                    trace.markJudged();
                    trace.markHit("header, place");
                }))
                .containsExactly("Cache-Status: weir; hit", "Weir-Verified: form, header, place");
        assertThat(linesOfTheCall(trace -> {
                    trace.markJudged();
                    trace.markDerived("");
                }))
                .containsExactly("Cache-Status: weir; hit; detail=derived", "Weir-Verified: form");
    }

    @Test
    void aListOfLogsHasItsGrade() {
        assertThat(linesOfTheCall(trace -> {
                    trace.markJudged();
                    trace.markHit("");
                    trace.gradeLogs();
                }))
                .containsExactly("Cache-Status: weir; hit", "Weir-Verified: form", "Weir-Logs: unproven");
        assertThat(linesOfTheCall(trace -> {
                    trace.markJudged();
                    trace.markDerived(Part.placed(Part.WHOLE_LOGS));
                    trace.gradeLogs();
                }))
                .containsExactly(
                        "Cache-Status: weir; hit; detail=derived",
                        "Weir-Verified: form, receipts, logs, place",
                        "Weir-Logs: complete");
        assertThat(linesOfTheCall(trace -> {
                    trace.markJudged();
                    trace.markForwarded();
                    trace.verifiedAs(Verification.Incomplete.FILLED_BLOOM);
                    trace.gradeLogs();
                }))
                .containsExactly("Cache-Status: weir; fwd=method", "Weir-Verified: form", "Weir-Logs: bloom");
    }

    @Test
    void aListThatCallsShareHasOneGrade() {
        CallTrace leader = new CallTrace();
        leader.markForwarded();
        leader.verifiedAs(Verification.Incomplete.FILLED_BLOOM);
        CallTrace shared = new CallTrace();
        shared.sharedFrom(leader.copy());
        assertThat(shared.gradeLogs()).isEqualTo(CallTrace.LogGrade.BLOOM);
        shared.verifiedAs(null);
        assertThat(shared.gradeLogs()).isEqualTo(CallTrace.LogGrade.UNPROVEN);
    }

    @Test
    void aCallThatNeitherTheCacheNorANodeSawSaysNothingOfThem() {
        assertThat(linesOfTheCall(trace -> {})).isEmpty();
    }

    /** Returns the header lines about a call, without its times. */
    private List<String> linesOfTheCall(Consumer<CallTrace> marks) {
        EmbeddedChannel channel = new EmbeddedChannel();
        RawJson id = RawJson.of("1");
        CallContext context = new CallContext(
                new RpcCall(id, "eth_call", null),
                Caller.PROXY,
                new NetworkId("main"),
                channel.eventLoop(),
                System.nanoTime(),
                System.nanoTime());
        marks.accept(context.trace());
        AnswerStyle style = new AnswerStyle(true, Streaming.CHUNKS, false, false, false, "");
        RequestAnswer answer = new RequestAnswer.One(id, new RpcReply.Result(RawJson.of("2")), context);
        ByteBuf out = answers.write(UnpooledByteBufAllocator.DEFAULT, answer, style);
        List<String> lines = out.toString(US_ASCII).lines().toList();
        out.release();
        channel.finishAndReleaseAll();
        int times = 0;
        while (!lines.get(times).startsWith("Server-Timing")) {
            times++;
        }
        assertThat(lines.get(times)).matches("Server-Timing: total;dur=\\d+\\.\\d{3}");
        int type = lines.indexOf("Vary: Accept-Encoding");
        assertThat(lines.subList(type, lines.size()))
                .containsExactly(
                        "Vary: Accept-Encoding",
                        "Content-Type: application/json",
                        "Content-Length: 35",
                        "",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":2}");
        return Stream.concat(lines.subList(2, times).stream(), lines.subList(times + 1, type).stream())
                .toList();
    }
}
