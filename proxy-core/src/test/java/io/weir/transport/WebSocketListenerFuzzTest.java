package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever bytes a client sends on its WebSocket, in whatever pieces: what comes back are frames, no more answers than messages, the
 * same for every way of cutting; nothing is thrown and nothing leaks.
 */
class WebSocketListenerFuzzTest {

    private static final int MAX_BYTES = 1 << 12;
    private static final int MAX_MESSAGE = 800;
    private static final int ANY_SIZE = 1 << 20;
    private static final Set<Integer> BROKEN = Set.of(1002, 1003, 1007);
    private static final byte[] HANDSHAKE =
            RawWebSocket.handshake("/ws/v3/" + TestProxy.KEY).getBytes(ISO_8859_1);

    private final JsonMapper json = JsonMapper.builder().build();

    @FuzzTest(maxDuration = "15s")
    void theSameFramesGetTheSameAnswersHoweverTheyAreCut(FuzzedDataProvider data) {
        Pieces pieces = Pieces.of(data);
        if (pieces.bytes().length > MAX_BYTES) {
            return;
        }
        StrictFrames asked = new StrictFrames(pieces.bytes(), true, MAX_MESSAGE, MAX_MESSAGE);
        Run whole = run(pieces.whole(), ANY_SIZE, false);
        check(whole, asked);
        assertThat(run(pieces, ANY_SIZE, false)).as(pieces.toString()).isEqualTo(whole);
        assertThat(run(pieces.single(), ANY_SIZE, false)).as("byte by byte").isEqualTo(whole);
        checkFrames(run(pieces, ANY_SIZE, true), asked);
        checkFrames(run(pieces, 300, true), asked);
    }

    private static Run run(Pieces pieces, long bytesInFlight, boolean late) {
        ServerBounds bounds = new ServerBounds();
        bounds.maxBodyBytes = MAX_MESSAGE;
        bounds.maxPipelined = 2;
        bounds.maxBatch = 10;
        bounds.bytesInFlight = bytesInFlight;
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            if (late) {
                context.answeringLate();
            }
            context.receive(HANDSHAKE, 0, HANDSHAKE.length);
            assertThat(new String(context.sent(), ISO_8859_1)).startsWith("HTTP/1.1 101 ");
            pieces.sendTo(context);
            if (bytesInFlight == ANY_SIZE) {
                context.settle();
            }
            return new Run(new String(context.sent(), ISO_8859_1), context.isOpen());
        }
    }

    private StrictFrames checkFrames(Run run, StrictFrames asked) {
        StrictFrames told = new StrictFrames(run.sent().getBytes(ISO_8859_1), false, ANY_SIZE, ANY_SIZE);
        assertThat(told.end()).isIn(StrictFrames.End.OPEN, StrictFrames.End.CLOSED);
        assertThat(told.left()).as("bytes behind the last frame").isZero();
        assertThat(told.messages().size())
                .as("answers")
                .isLessThanOrEqualTo(asked.messages().size());
        told.messages().forEach(json::readTree);
        return told;
    }

    private void check(Run run, StrictFrames asked) {
        StrictFrames told = checkFrames(run, asked);
        assertThat(told.pings()).isEmpty();
        // A close frame may come early, after the start of text that is not UTF-8. Later frames are ignored.
        boolean early = told.closeStatus() == 1007;
        int heard = early ? told.pongs().size() : asked.pings().size();
        assertThat(told.pongs())
                .usingRecursiveComparison()
                .isEqualTo(asked.pings().subList(0, heard));
        boolean open = asked.end() == StrictFrames.End.OPEN;
        if (told.end() == StrictFrames.End.OPEN) {
            assertThat(open).as("open behind frames that end").isTrue();
            assertThat(run.open()).isTrue();
            return;
        }
        switch (asked.end()) {
            case OPEN -> assertThat(early).isTrue();
            case CLOSED -> assertThat(told.closeStatus()).isIn(1007, asked.closeStatus());
            case BROKEN -> assertThat(told.closeStatus()).isIn(BROKEN);
            default -> assertThat(told.closeStatus()).isIn(List.of(1007, 1009));
        }
        if (asked.end() != StrictFrames.End.TOO_LARGE) {
            assertThat(run.open()).as("open behind a close frame").isFalse();
        }
    }

    /** The outcome of a connection; each byte sent is one character. */
    private record Run(String sent, boolean open) {}
}
