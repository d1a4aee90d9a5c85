package io.weir.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.framing.HeadCache.Repeated;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A head is recognised by all of its bytes but the number in Content-Length, and heads that never repeat are seldom stored. */
class HeadCacheTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nServer: a\r\nContent-Length: 2\r\nDate: now\r\n\r\n";

    private final HeadCache<String> cache = new HeadCache<>(100);

    @Test
    void aKnownHeadIsPassedAndItsBodyIsNext() {
        learn(HEAD, "known");
        ByteBuf in = bytes(HEAD.replace(": 2", ": 17") + "x".repeat(17) + "next");

        Repeated<String> passed = requireNonNull(cache.pass(in));
        assertThat(passed.first()).isEqualTo("known");
        assertThat(passed.content().toString(ISO_8859_1)).isEqualTo("x".repeat(17));
        assertThat(in.toString(ISO_8859_1)).isEqualTo("next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00", "100", "000100"})
    void everyDecimalNumberWithinTheBoundIsALength(String digits) {
        learn(HEAD, "known");

        ByteBuf in = bytes(HEAD.replace(": 2", ": " + digits) + "x".repeat(100));
        assertThat(requireNonNull(cache.pass(in)).content().readableBytes()).isEqualTo(Integer.parseInt(digits));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1 ", " 1", "1,1", "0x1", "1a", "101", "1000000", "99999999999999999999"})
    void anyOtherLengthHasTheHeadParsed(String digits) {
        learn(HEAD, "known");

        assertThat(pass(HEAD.replace(": 2", ": " + digits) + "x".repeat(200))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nA: content-length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2 \r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\t2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:",
                "HTTP/1.1 200 OK\r\nContent-Length: 2",
                "Content-Length: 2\r\n\r\n"
            })
    void aHeadWhoseLengthIsNotPlainIsNotLearned(String head) {
        learn(head, "known");

        assertThat(pass(head + "xx")).isNull();
    }

    @Test
    void aLongHeadIsNotLearned() {
        String longest = HEAD.replace("now", "x".repeat(1024 - HEAD.length() + 3));
        learn(longest, "known");
        assertThat(pass(longest + "xx")).isEqualTo("known");

        String longer = longest.replace("Date: x", "Date: xx");
        learn(longer, "known");
        assertThat(pass(longer + "xx")).isNull();
    }

    @Test
    void theLastHeadReplacesTheOneBefore() {
        learn(HEAD, "first");
        learn(HEAD.replace("now", "later"), "second");
        assertThat(pass(HEAD + "xx")).isNull();
        assertThat(pass(HEAD.replace("now", "later") + "xx")).isEqualTo("second");

        cache.forget();
        assertThat(pass(HEAD.replace("now", "later") + "xx")).isNull();
    }

    @Test
    void headsThatNeverRepeatAreSeldomLearned() {
        int learned = 0;
        for (int heads = 1; heads <= 1_000; heads++) {
            learned += isLastKnownAfter(heads) ? 1 : 0;
        }
        // The first 16, and then every 64th.
        assertThat(learned).isEqualTo(16 + 1_000 / 64);
    }

    @Test
    void aHeadThatRepeatsEndsThat() {
        for (int i = 0; i < 20; i++) {
            learn(numbered(i), "known");
        }
        int again = 0;
        while (pass(HEAD + "xx") == null) {
            learn(HEAD, "known");
            again++;
        }
        assertThat(again).isBetween(1, 64);

        learn(numbered(1), "known");
        assertThat(pass(numbered(1) + "xx")).isEqualTo("known");
    }

    private static boolean isLastKnownAfter(int heads) {
        HeadCache<String> other = new HeadCache<>(100);
        for (int i = 1; i <= heads; i++) {
            ByteBuf in = bytes(numbered(i));
            other.learn("known", in, 0, in.readableBytes());
        }
        return other.pass(bytes(numbered(heads) + "xx")) != null;
    }

    private static String numbered(int number) {
        return HEAD.replace("now", "%05d".formatted(number));
    }

    private void learn(String head, String meaning) {
        ByteBuf in = bytes(head);
        cache.learn(meaning, in, 0, in.readableBytes());
    }

    private @Nullable String pass(String text) {
        ByteBuf in = bytes(text);
        Repeated<String> known = cache.pass(in);
        assertThat(in.readerIndex() == 0).isEqualTo(known == null);
        return known == null ? null : known.first();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }
}
