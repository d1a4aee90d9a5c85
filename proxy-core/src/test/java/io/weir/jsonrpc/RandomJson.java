package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Makes JSON of all sorts, and damages it. Confined to one thread. */
final class RandomJson {

    private static final String[] SCALARS = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "7",
        "1.0",
        "1e3",
        "-1.5E-7",
        "9007199254740993",
        "18446744073709551616",
        "\"\""
    };
    private static final String[] PIECES = {
        "a",
        "0x",
        "0123456789abcdef",
        "é",
        "€",
        "😀",
        "\\\"",
        "\\\\",
        "\\/",
        "\\n",
        "\\u0041",
        "\\ud83d\\ude00",
        "\\ud800",
        "\\udc00",
        "#",
        "]",
        "}",
        "{",
        "[",
        ",",
        ":",
        "'",
        "\u007f"
    };
    private static final String[] SPLICES = {
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "0",
        "1",
        "-",
        ".",
        "e",
        "null",
        "true",
        "[]",
        "{}",
        "\"id\":1,",
        "NaN",
        " ",
        "\t",
        "\n",
        "\f",
        "\u0000",
        "\u001f",
        "\uFEFF",
        "//",
        "\u00a0",
        "\\u12"
    };

    private final Random random;

    RandomJson(Random random) {
        this.random = random;
    }

    /** Any value, nested at most this deep. */
    String value(int levels) {
        int kind = random.nextInt(levels > 0 ? 6 : 3);
        return switch (kind) {
            case 0 -> pick(SCALARS);
            case 1, 2 -> string();
            case 3 -> space() + container(levels) + space();
            default -> container(levels);
        };
    }

    /** An array or an object. */
    String container(int levels) {
        boolean object = random.nextBoolean();
        StringBuilder text = new StringBuilder(object ? "{" : "[").append(space());
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",").append(space());
            if (object) {
                text.append("\"k")
                        .append(i)
                        .append(pick(PIECES))
                        .append("\"")
                        .append(space())
                        .append(':');
            }
            text.append(value(levels - 1)).append(space());
        }
        return text.append(object ? '}' : ']').toString();
    }

    String string() {
        StringBuilder text = new StringBuilder("\"");
        for (int pieces = random.nextInt(5); pieces > 0; pieces--) {
            text.append(pick(PIECES));
        }
        return text.append('"').toString();
    }

    /** Mostly no white space. */
    String space() {
        return random.nextInt(4) == 0 ? pick(" ", "\n", "\r\n", "\t", "  ") : "";
    }

    String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    boolean chance(int in) {
        return random.nextInt(in) == 0;
    }

    /** The text with up to three bytes, tokens or ranges added, changed, dropped or doubled. */
    byte[] damaged(byte[] text) {
        byte[] damaged = text;
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            damaged = damagedOnce(damaged);
        }
        return damaged;
    }

    private byte[] damagedOnce(byte[] text) {
        int from = random.nextInt(text.length + 1);
        int to = Math.min(text.length, from + (random.nextBoolean() ? 1 : random.nextInt(12)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(text, 0, from);
        switch (random.nextInt(5)) {
            case 0 -> out.write(text, to, text.length - to);
            case 1 -> {
                out.write(random.nextInt(256));
                out.write(text, to, text.length - to);
            }
            case 2 -> {
                out.writeBytes(pick(SPLICES).getBytes(UTF_8));
                out.write(text, from, text.length - from);
            }
            case 3 -> {
                out.write(text, from, to - from);
                out.write(text, from, text.length - from);
            }
            default -> {
                if (chance(4)) {
                    return out.toByteArray();
                }
                out.write(text, from, text.length - from);
            }
        }
        return out.toByteArray();
    }
}
