package io.weir.hocon;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The syntax rule that a text breaks, found by the parser's message. The message itself is hidden, because it repeats
 * parts of the file, which may be a credential.
 */
enum SyntaxRule {
    UNCLOSED_SUBSTITUTION("not closed with a }", "} at the end of ${"),
    UNCLOSED_QUOTE("unescaped newline", "a closing quote on the same line"),
    UNFINISHED_QUOTE("string quote", "a closing quote"),
    ESCAPE("escape sequence", "\\\\ for a backslash in a quoted text"),
    RESERVED("reserved character", "quotes around a text with special characters"),
    CLOSING_BRACE("close brace } or a comma", "}, a comma or a new line"),
    NO_BRACE("unbalanced close brace", "no } without a {"),
    BRACKET("list should have", "] or a comma"),
    SEPARATOR("may not be followed by token", "=, : or { after a name"),
    INCLUDE("include", "include \"a file\""),
    END("end of input or a comma", "a comma or a new line"),
    NAME("close parentheses", "a name, or ) at the end of an include"),
    FIELD("close brace or a field name", "a name"),
    VALUE("expecting a value", "a value"),
    OTHER("", "HOCON");

    private final String clue;
    private final String rule;

    SyntaxRule(String clue, String rule) {
        this.clue = clue;
        this.rule = rule;
    }

    /** Parts of a text that decide where blocks begin and end, and an address without quotes. */
    private static final Pattern PART = Pattern.compile(
            "\"{3}[\\s\\S]*?\"{3,}|\"(?:[^\"\\\\\n]++|\\\\.)*+\"|[=:\\[]\\s*(?<address>\\w[\\w+.-]*:[/\\w])|\\$\\{[^}\n]*}?|(?<quote>\")|(?:#|//).*|(?<line>\n[ \t]*)|(?<brace>[{}])");

    /**
     * Returns the problem of a text that is no HOCON. The parser sees a missing brace only at the end, and a comment in an address
     * without quotes. The problem is where the mistake began.
     *
     * @param line at which the parser gave up
     */
    static Problem broken(String file, String text, int line, String message) {
        // Of each open block, where it begins, and the indentation of that line.
        Deque<int[]> open = new ArrayDeque<>();
        int unclosed = -1;
        int indentation = 0;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            if (part.group("address") != null) {
                return at(file, text, part.start("address"), "an address without quotes", "quotes around it");
            } else if (part.group("quote") != null) {
                return at(file, text, part.start(), "a text that does not end", UNCLOSED_QUOTE.rule);
            } else if (part.group("line") != null) {
                indentation = part.end() - part.start() - 1;
            } else if ("{".equals(part.group("brace"))) {
                open.push(new int[] {part.start(), indentation});
            } else if ("}".equals(part.group("brace")) && !open.isEmpty()) {
                int[] opened = open.pop();
                // A brace that stands further left belongs to a block further out.
                unclosed = indentation < opened[1] && unclosed < 0 ? opened[0] : unclosed;
            }
        }
        return open.isEmpty()
                ? new Problem(file, line, 0, "file", "a syntax error", of(message))
                : at(
                        file,
                        text,
                        unclosed < 0 ? open.getLast()[0] : unclosed,
                        "a block that does not end",
                        "} at its end");
    }

    private static Problem at(String file, String text, int at, String seen, String rule) {
        int line =
                1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
        return new Problem(file, line, at - text.lastIndexOf('\n', at - 1), "file", seen, rule);
    }

    private static String of(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        for (SyntaxRule candidate : values()) {
            if (lower.contains(candidate.clue)) {
                return candidate.rule;
            }
        }
        return OTHER.rule;
    }
}
