package io.weir.wallet.page;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** A page that is being written: tags by the program, text from anywhere. Confined to one thread. */
final class Html {

    /**
     * Characters that show nothing, though they count as letters, marks or symbols. All others that Unicode calls ignorable by
     * default, and all spaces but the usual one, are of the types that {@link #isSeen} excludes.
     */
    private static final Set<Integer> BLANK = Set.of(
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0xFFFC,
            0x13441, 0x13442, 0x16FE4, 0x1D159);

    private static final int FIRST_SELECTOR = 0xFE00;
    private static final int LAST_SELECTOR = 0xFE0F;
    private static final int FIRST_TAG = 0xE0000;
    private static final int LAST_TAG = 0xE0FFF;

    private final StringBuilder out = new StringBuilder(4096);

    /** Adds markup, which is the program's own: nothing that came from outside. */
    Html tags(String markup) {
        out.append(markup);
        return this;
    }

    /**
     * Adds text, for an element or a quoted attribute. Shows invisible characters, and those that turn the direction of others,
     * by their numbers. A person then approves exactly the text that is there.
     */
    Html text(String text) {
        return text(text, false);
    }

    /** Adds text of several lines, for an element that keeps them. */
    Html lines(String text) {
        return text(text, true);
    }

    private Html text(String text, boolean lines) {
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    if (isSeen(point) || (lines && point == '\n')) {
                        out.appendCodePoint(point);
                    } else {
                        out.append("[U+")
                                .append(String.format(Locale.ROOT, "%04X", point))
                                .append(']');
                    }
                }
            }
        });
        return this;
    }

    private static boolean isSeen(int point) {
        if (BLANK.contains(point)
                || (point >= FIRST_SELECTOR && point <= LAST_SELECTOR)
                || (point >= FIRST_TAG && point <= LAST_TAG)) {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> point == ' ';
            default -> true;
        };
    }

    /** Returns a text of a bounded length; a longer one ends with an ellipsis. */
    static String shortened(String text, int characters) {
        return text.length() <= characters ? text : text.substring(0, characters) + "…";
    }

    /** Adds texts, each between the same tags. */
    Html each(Iterable<String> texts, String opening, String closing) {
        texts.forEach(text -> tags(opening).text(text).tags(closing));
        return this;
    }

    /** A row of a table of facts. */
    Html fact(String name, String value) {
        return tags("<tr><th scope=\"row\">")
                .text(name)
                .tags("</th><td>")
                .text(value)
                .tags("</td></tr>\n");
    }

    /** A row with an address or a hash, after a label that may be empty. */
    Html hexFact(String name, String label, String hex) {
        return tags("<tr><th scope=\"row\">")
                .text(name)
                .tags("</th><td>")
                .text(label)
                .tags(label.isEmpty() ? "<code>" : "<br><code>")
                .text(hex)
                .tags("</code></td></tr>\n");
    }

    byte[] bytes() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
