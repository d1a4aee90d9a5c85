package io.weir.hocon;

import java.util.Locale;

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

    static String of(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        for (SyntaxRule candidate : values()) {
            if (lower.contains(candidate.clue)) {
                return candidate.rule;
            }
        }
        return OTHER.rule;
    }
}
