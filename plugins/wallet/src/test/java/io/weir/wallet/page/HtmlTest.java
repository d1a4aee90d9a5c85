package io.weir.wallet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gg.jte.Content;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HtmlTest {

    private static String text(String text) {
        return text("td", null, text);
    }

    private static String lines(String text) {
        return text("pre", null, text);
    }

    private static String text(String tag, @Nullable String attribute, String text) {
        Html html = new Html();
        html.setContext(tag, attribute);
        html.writeUserContent(text);
        return html.toString();
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
        assertThat(lines("a\nb\r")).isEqualTo("a\nb[U+000D]");
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
            for (String tag : List.of("td", "pre", "title", "a")) {
                for (String attribute : new String[] {null, "href", "class", "value"}) {
                    assertThat(text(tag, attribute, text.toString()))
                            .as("seed %d", seed)
                            .doesNotContainPattern("[<>\"']|&(?!amp;|lt;|gt;|quot;|#39;)")
                            .matches(shown -> attribute == null && tag.equals("pre") || !shown.contains("\n"));
                }
            }
        }
    }

    /** All overloads of JTE's output, with what a template can hand to them. */
    @Test
    void noValueOfAnyTypeGoesRoundTheEscapes() {
        Html html = new Html();
        html.setContext("td", null);
        html.writeUserContent('<');
        html.writeUserContent(Character.valueOf('\u202e'));
        html.writeUserContent((Content) output -> output.writeUserContent("<i>"));
        html.writeUserContent(new AtomicInteger(5) {
            @Override
            public String toString() {
                return "<5>";
            }
        });
        html.writeUserContent(true);
        html.writeUserContent(Boolean.FALSE);
        html.writeUserContent((byte) -1);
        html.writeUserContent((short) -2);
        html.writeUserContent(-3);
        html.writeUserContent(-4L);
        html.writeUserContent(0.5f);
        html.writeUserContent(Double.NaN);
        html.writeUserContent(TimeUnit.DAYS);
        html.writeUserContent((String) null);
        html.writeUserContent((Content) null);
        assertThat(html.toString()).isEqualTo("&lt;[U+202E]&lt;i&gt;&lt;5&gt;truefalse-1-2-3-40.5NaNDAYS");
        assertThatThrownBy(() -> html.writeUnsafeContent("<b>")).isInstanceOf(UnsupportedOperationException.class);
    }

    /** Unicode 16: {@code Default_Ignorable_Code_Point}, ranges with both ends. */
    private static final int[][] IGNORABLE = {
        {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
        {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}
    };

    /** Unicode 16: {@code White_Space} but U+0020. */
    private static final int[][] SPACES = {
        {0x0009, 0x000D},
        {0x0085, 0x0085},
        {0x00A0, 0x00A0},
        {0x1680, 0x1680},
        {0x2000, 0x200A},
        {0x2028, 0x2029},
        {0x202F, 0x202F},
        {0x205F, 0x205F},
        {0x3000, 0x3000}
    };

    /** Braille without a dot, an object's placeholder, blanks of scripts, a note without a head. */
    private static final int[][] EMPTY = {
        {0x2800, 0x2800}, {0xFFFC, 0xFFFC}, {0x13441, 0x13442}, {0x16FE4, 0x16FE4}, {0x1D159, 0x1D159}
    };

    @Test
    void everyCharacterThatShowsNothingIsShownByItsNumber() {
        for (int[][] ranges : new int[][][] {IGNORABLE, SPACES, EMPTY}) {
            for (int[] range : ranges) {
                for (int point = range[0]; point <= range[1]; point++) {
                    String number = "[U+" + String.format("%04X", point) + "]";
                    assertThat(text(Character.toString(point))).isEqualTo(number);
                    if (point != '\n') {
                        assertThat(lines(Character.toString(point))).isEqualTo(number);
                    }
                }
            }
        }
    }

    @Test
    void everyCharacterThatShowsSomethingIsShownAsItIs() {
        for (String text : new String[] {"a b", "größe", "漢字", "한글", "العربية", "हिन्दी", "😀", "∀", "…"}) {
            assertThat(text(text)).isEqualTo(text);
        }
    }
}
