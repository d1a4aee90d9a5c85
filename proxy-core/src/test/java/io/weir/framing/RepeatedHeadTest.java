package io.weir.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only a head that is the same byte for byte, but for its Content-Length, skips the decoder. */
class RepeatedHeadTest {

    private static final String BODY = "{}";
    private static final String BEFORE = "POST /v3/demo HTTP/1.1\r\nHost: main\r\n";
    private static final String LENGTH = "Content-Length: " + BODY.length() + "\r\n";
    private static final String TAIL = "Origin: https://one.example\r\nX-Forwarded-For: 10.0.0.1\r\n"
            + "Accept-Encoding: gzip\r\nAuthorization: Bearer one\r\n\r\n";

    private static final String MEANING = "the head";

    private final HeadCache<String> memory = new HeadCache<>(1_000);

    @Test
    void aHeadThatComesAgainIsRepeatedWhateverItsLengthSays() {
        String request = learn();

        assertThat(take(BEFORE + LENGTH + TAIL + BODY)).isSameAs(request);
        assertThat(take(BEFORE + "Content-Length: 17\r\n" + TAIL + " ".repeat(17)))
                .isSameAs(request);
    }

    @ParameterizedTest
    @CsvSource({
        "https://one.example, https://two.example",
        "10.0.0.1, 10.0.0.2",
        "gzip, none",
        "Bearer one, Bearer two",
        "Origin, Expect",
        "Accept-Encoding, Accept-Language"
    })
    void aLineBehindTheLengthThatDiffersHasTheHeadReadAnew(String one, String other) {
        learn();
        String head = BEFORE + LENGTH + TAIL.replace(one, other);

        assertThat(head).isNotEqualTo(BEFORE + LENGTH + TAIL);
        assertThat(take(head + BODY)).isNull();
    }

    @Test
    void anyByteThatDiffersHasTheHeadReadAnew() {
        learn();
        String head = BEFORE + LENGTH + TAIL;
        int digits = BEFORE.length() + LENGTH.indexOf(' ') + 1;
        for (int at = 0; at < head.length(); at++) {
            if (at != digits) {
                char other = (char) (head.charAt(at) ^ 1);

                assertThat(take(head.substring(0, at) + other + head.substring(at + 1) + BODY))
                        .as("byte %d is %d", at, (int) other)
                        .isNull();
            }
        }
    }

    @Test
    void aTailThatIsLongerOrShorterHasTheHeadReadAnew() {
        learn();
        String longer = TAIL.replace("Bearer one", "Bearer one more");
        String shorter = TAIL.replace("Accept-Encoding: gzip\r\n", "");

        assertThat(take(BEFORE + LENGTH + longer + BODY)).isNull();
        assertThat(take(BEFORE + LENGTH + shorter + BODY + " ".repeat(TAIL.length())))
                .isNull();
    }

    @Test
    void aTailThatHasNotArrivedWholeWaits() {
        String request = learn();
        String all = BEFORE + LENGTH + TAIL + BODY;
        for (int end = 0; end < all.length(); end++) {
            assertThat(take(all.substring(0, end))).as("first %d bytes", end).isNull();
        }
        assertThat(take(all)).isSameAs(request);
    }

    private String learn() {
        ByteBuf head = Unpooled.copiedBuffer(BEFORE + LENGTH + TAIL, ISO_8859_1);
        memory.learn(MEANING, head, 0, head.readableBytes());
        head.release();
        return MEANING;
    }

    /** Returns the meaning of the head; null, and nothing is passed, where the head is to be parsed. */
    private @Nullable String take(String text) {
        ByteBuf in = Unpooled.copiedBuffer(text, ISO_8859_1);
        try {
            HeadCache.Repeated<String> known = memory.pass(in);
            if (known == null) {
                assertThat(in.readableBytes()).isEqualTo(text.length());
                return null;
            }
            assertThat(in.isReadable()).isFalse();
            known.release();
            return known.first();
        } finally {
            in.release();
        }
    }
}
