package io.weir.wallet.page;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A page that is being written: tags by the program, text from anywhere. Confined to one thread. */
final class Html {

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

    /** A row of a table of facts. */
    Html fact(String name, String value) {
        return tags("<tr><th scope=\"row\">")
                .text(name)
                .tags("</th><td>")
                .text(value)
                .tags("</td></tr>\n");
    }

    byte[] bytes() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
