package io.weir.wallet.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.html.HtmlTemplateOutput;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A page that is being written: markup by a template, text from anywhere. It replaces JTE's own escaping. Every text is escaped for elements
 * and for quoted attributes, wherever the template shows it. Invisible characters, and those that turn the direction of others, are shown by
 * their numbers. A person then approves exactly the text that is there. Confined to one thread.
 */
final class Html implements HtmlTemplateOutput {

    private static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Html.class.getClassLoader(), Html.class.getPackageName());

    /**
     * Characters that show nothing, though they count as letters, marks or symbols. All others that Unicode calls ignorable by
     * default, and all spaces but the usual one, are of the types that {@link #isSeen} excludes.
     */
    private static final Set<Integer> BLANK = Set.of(
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0, 0xFFFC,
            0x13441, 0x13442, 0x16FE4, 0x1D159);

    private final StringBuilder out = new StringBuilder(4096);
    private boolean keepsLines;

    /** Returns a template of {@code src/main/jte}, filled with these values. */
    static byte[] of(String template, Map<String, Object> values) {
        Html html = new Html();
        TEMPLATES.render(template + ".jte", values, html);
        return html.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return out.toString();
    }

    @Override
    public void setContext(String tag, @Nullable String attribute) {
        keepsLines = attribute == null && tag.equals("pre");
    }

    @Override
    public void writeContent(String markup) {
        out.append(markup);
    }

    @Override
    public void writeContent(String markup, int begin, int end) {
        out.append(markup, begin, end);
    }

    @Override
    public void writeUnsafeContent(String text) {
        throw new UnsupportedOperationException("$unsafe (expected: text that is escaped)");
    }

    /** Writes text, also that of numbers of unknown types and of characters. Other values have no character to escape. */
    @Override
    public void writeUserContent(@Nullable String text) {
        if (text != null) {
            text.codePoints().forEach(this::write);
        }
    }

    private void write(int point) {
        switch (point) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            default -> {
                if (isSeen(point) || (keepsLines && point == '\n')) {
                    out.appendCodePoint(point);
                } else {
                    out.append(String.format(Locale.ROOT, "[U+%04X]", point));
                }
            }
        }
    }

    private static boolean isSeen(int point) {
        boolean isSelector = point >= 0xFE00 && point <= 0xFE0F;
        boolean isTag = point >= 0xE0000 && point <= 0xE0FFF;
        if (isSelector || isTag || BLANK.contains(point)) {
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
}
