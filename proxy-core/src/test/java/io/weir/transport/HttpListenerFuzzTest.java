package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Whatever bytes a client sends over HTTP, in whatever pieces: what comes back are answers, no more of them than requests, the
 * same for every way of cutting; nothing is thrown and nothing leaks.
 */
class HttpListenerFuzzTest {

    private static final int MAX_BYTES = 1 << 12;
    private static final Set<Integer> STATUSES =
            Set.of(200, 202, 204, 400, 401, 403, 404, 405, 411, 413, 415, 426, 431, 503);

    @FuzzTest(maxDuration = "15s")
    void theSameBytesGetTheSameAnswersHoweverTheyAreCut(FuzzedDataProvider data) {
        Pieces pieces = Pieces.of(data);
        if (pieces.bytes().length > MAX_BYTES) {
            return;
        }
        Run whole = run(pieces.whole(), 1 << 20, false);
        check(whole, new StrictRequests(pieces.bytes()));
        assertThat(run(pieces, 1 << 20, false)).as(pieces.toString()).isEqualTo(whole);
        assertThat(run(pieces.single(), 1 << 20, false)).as("byte by byte").isEqualTo(whole);
        Run late = run(pieces, 1 << 20, true);
        if (!text(pieces).contains("/ws")) {
            // A handshake behind open requests is refused: whether they are open is a matter of time.
            assertThat(late.answers().size())
                    .as("answers given late")
                    .isEqualTo(whole.answers().size());
        }
        check(run(pieces, 300, true), new StrictRequests(pieces.bytes()));
    }

    private static String text(Pieces pieces) {
        return new String(pieces.bytes(), StandardCharsets.ISO_8859_1);
    }

    private static ServerBounds bounds(long bytesInFlight) {
        ServerBounds bounds = new ServerBounds();
        bounds.maxHeaderBytes = 400;
        bounds.maxRequestLineBytes = 200;
        bounds.maxBodyBytes = 1000;
        bounds.maxPipelined = 2;
        bounds.maxBatch = 10;
        bounds.bytesInFlight = bytesInFlight;
        return bounds;
    }

    private static Run run(Pieces pieces, long bytesInFlight, boolean late) {
        try (EmbeddedListener context = new EmbeddedListener(bounds(bytesInFlight))) {
            if (late) {
                context.answeringLate();
            }
            pieces.sendTo(context);
            boolean settled = bytesInFlight > MAX_BYTES;
            if (settled) {
                context.settle();
            }
            // Else its refusal may still wait for the answers before it.
            boolean framing =
                    (settled || !context.isOpen()) && context.refused("framing") + context.refused("headers") > 0;
            HttpAnswerList answers =
                    HttpAnswerList.read(context.sent(), text(pieces).contains("HEAD "));
            // A request that is both malformed and too long is rejected as either.
            return new Run(framing ? answers.withoutLast() : answers, context.isOpen(), framing);
        }
    }

    private static void check(Run run, StrictRequests requests) {
        List<HttpAnswerList.Answer> answers = run.answers().finals();
        for (int i = 0; i < answers.size(); i++) {
            HttpAnswerList.Answer answer = answers.get(i);
            assertThat(STATUSES).as("status of answer %d", i).contains(answer.status());
            assertThat(answer.closes())
                    .as("answer %d of %d closes", i, answers.size())
                    .isEqualTo(i == answers.size() - 1 && !run.open() && !run.framing());
        }
        if (run.framing()) {
            assertThat(run.open()).as("open after what could not be read").isFalse();
            assertThat(requests.inDoubt())
                    .as("refused what a strict reader accepts")
                    .isTrue();
        }
        if (!requests.inDoubt()) {
            int early = requests.hasHeadOfAnother() ? 1 : 0;
            assertThat(answers.size()).as("answers").isBetween(0, requests.count() + early);
        } else {
            assertThat(answers.size()).as("answers").isLessThanOrEqualTo(requests.count() + requests.linesInDoubt());
        }
    }

    /**
     * The outcome of a connection.
     *
     * @param framing whether something was rejected as unreadable
     */
    private record Run(HttpAnswerList answers, boolean open, boolean framing) {}
}
