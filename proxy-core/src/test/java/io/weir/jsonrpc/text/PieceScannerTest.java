package io.weir.jsonrpc.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class PieceScannerTest {

    private static final String[] TOKENS = {
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        " ",
        "\n",
        "a",
        "0123456789abcdef",
        "u00e9",
        "n",
        "é",
        "€",
        "😀",
        "\u007f"
    };
    private static final byte[] BYTES = {0, 0x1f, (byte) 0x80, (byte) 0xbf, (byte) 0xc1, (byte) 0xe0, (byte) 0xff};

    /** Where a value ends; -1 if it is cut off, -2 if it is no JSON. */
    private static int endOf(byte[] text) {
        JsonScanner scanner = JsonScanner.delimiters(text, 0, text.length);
        try {
            scanner.peek();
            scanner.skip();
            return scanner.position();
        } catch (JsonSyntaxException e) {
            return e.kind() == JsonSyntaxException.Kind.TRUNCATED ? -1 : -2;
        }
    }

    private static int endInPieces(byte[] text, Random random, int most) {
        PieceScanner scanner = new PieceScanner();
        int at = 0;
        try {
            while (at < text.length && !scanner.ended()) {
                int to = Math.min(text.length, at + 1 + random.nextInt(most));
                int passed = scanner.pass(text, at, to, false);
                assertThat(scanner.ended() || passed == to).isTrue();
                at = passed;
            }
        } catch (JsonSyntaxException e) {
            return -2;
        }
        return scanner.ended() ? at : -1;
    }

    /** A character that is cut off at the end is no JSON for one, and may go on for the other. */
    private static boolean sameEnd(int whole, int inPieces) {
        return whole == inPieces || (whole == -2 && inPieces == -1);
    }

    @Test
    void anyTextIsJudgedInPiecesAsItIsWhole() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int whole = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] text = text(random);
            int end = endOf(text);
            int most = 1 + random.nextInt(20);
            assertThat(sameEnd(end, endInPieces(text, random, most)))
                    .as("seed %d, text %d: %s, end %d", seed, i, new String(text, UTF_8), end)
                    .isTrue();
            whole += end >= 0 ? 1 : 0;
        }
        assertThat(whole).isBetween(5_000, 195_000);
    }

    @Test
    void wellFormedTextsEndWhereTheyEndHoweverTheyAreCut() {
        byte[] text = "{\"a\\u12aF\\\\\":[{},[\"é€😀\",\"\\\"\"],1.5e3,null]}".getBytes(UTF_8);
        for (int cut = 1; cut < text.length; cut++) {
            assertThat(endInPieces(text, new Random(cut), 1)).isEqualTo(text.length);
            assertThat(endInPieces(text, new Random(cut), cut)).isEqualTo(text.length);
        }
    }

    @Test
    void nestingHasTheBoundOfAWholeAnswer() {
        String deep = "[".repeat(1023) + "]".repeat(1023);
        assertThat(endInPieces(deep.getBytes(UTF_8), new Random(1), 100)).isEqualTo(2046);
        assertThat(endInPieces(("[" + deep + "]").getBytes(UTF_8), new Random(1), 100))
                .isEqualTo(-2);
        assertThat(endOf(("{\"result\":" + deep + "}").getBytes(UTF_8))).isPositive();
        assertThat(endOf(("{\"result\":[" + deep + "]}").getBytes(UTF_8))).isEqualTo(-2);
    }

    private static byte[] text(Random random) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "[" : random.nextBoolean() ? "{" : "\"");
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(TOKENS[random.nextInt(TOKENS.length)]);
        }
        text.append("\"".repeat(random.nextInt(2))).append("]}]".substring(random.nextInt(3)));
        byte[] bytes = text.toString().getBytes(UTF_8);
        if (random.nextInt(4) == 0) {
            int at = 1 + random.nextInt(bytes.length - 1);
            bytes[at] = BYTES[random.nextInt(BYTES.length)];
        }
        return bytes;
    }
}
