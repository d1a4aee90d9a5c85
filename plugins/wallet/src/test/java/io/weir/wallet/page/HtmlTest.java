package io.weir.wallet.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HtmlTest {

    private static String text(String text) {
        return new String(new Html().text(text).bytes(), UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<script>alert(1)</script> | &lt;script&gt;alert(1)&lt;/script&gt;",
                "\" onclick=\"x | &quot; onclick=&quot;x",
                "' onclick=''x | &#39; onclick=&#39;&#39;x",
                "&lt; | &amp;lt;",
                "größe 漢字 | größe 漢字",
            },
            quoteCharacter = '`')
    void markupIsText(String text, String shown) {
        assertThat(text(text)).isEqualTo(shown);
    }

    @Test
    void whatIsNotSeenIsShownByItsNumber() {
        assertThat(text("pay\u202ebob")).as("turns the direction").isEqualTo("pay[U+202E]bob");
        assertThat(text("a\u200bb\u0000c\nd\u00a0e\ufefff"))
                .isEqualTo("a[U+200B]b[U+0000]c[U+000A]d[U+00A0]e[U+FEFF]f");
        assertThat(text("\ud800x")).as("half a character").isEqualTo("[U+D800]x");
        assertThat(new String(new Html().lines("a\nb\r").bytes(), UTF_8)).isEqualTo("a\nb[U+000D]");
    }

    @Test
    void noTextEverOpensATagOrEndsAnAttribute() {
        long seed = new SecureRandom().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                text.append(
                        random.nextBoolean()
                                ? "<>\"'&;/=!-`\\".charAt(random.nextInt(12))
                                : (char) random.nextInt(0x10000));
            }
            assertThat(text(text.toString()))
                    .as("seed %d", seed)
                    .doesNotContainPattern("[<>\"']|&(?!amp;|lt;|gt;|quot;|#39;)");
        }
    }

    @Test
    void charactersThatShowNothingAreShownByNumber() {
        for (int point : new int[] {0x2800, 0x3164, 0x115F, 0x1160, 0xFFA0, 0x034F, 0xFE0F, 0xE0100}) {
            String shown = new String(
                    new Html().text(Character.toString(point)).bytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(shown).isEqualTo("[U+" + String.format("%04X", point) + "]");
        }
    }
}
