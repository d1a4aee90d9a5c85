package io.weir.upstream.verdict;

import java.util.regex.Pattern;

/**
 * Filter that removes control characters, stack traces, and file paths on the node's machine from a node's words. Pure and
 * thread-safe.
 */
final class CleanText {

    /** Characters of a text that are passed on. */
    static final int MAX_CHARS = 8192;

    /** Replacement for a path. */
    static final String PATH = "[file]";

    /**
     * Beginning of a stack trace: JavaScript, Java and C#; Go; Rust; Python. No part of it can match in two different ways.
     */
    private static final Pattern STACK = Pattern.compile(
            "\\R[ \\t]{1,16}at |\\Rgoroutine \\d|goroutine \\d{1,9} \\[|stack backtrace:|stack trace:|Traceback \\(",
            Pattern.CASE_INSENSITIVE);

    /** Line of a source file. */
    private static final Pattern SOURCE =
            Pattern.compile("\\.(?:js|mjs|cjs|ts|rs|go|java|kt|cs|py|cc|cpp|nim|ex):\\d", Pattern.CASE_INSENSITIVE);

    private CleanText() {}

    /** Returns the text as a client may see it. */
    static String of(String text) {
        String front = text.length() <= MAX_CHARS ? text : truncated(text);
        var stack = STACK.matcher(front);
        return line(withoutPaths(stack.find() ? front.substring(0, stack.start()) : front));
    }

    private static String truncated(String text) {
        int end = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS;
        return text.substring(0, end) + "…";
    }

    /** Returns the text without control characters. White-space ones become spaces, others a replacement mark. */
    static String line(String text) {
        if (text.codePoints().allMatch(CleanText::harmless)) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> line.appendCodePoint(harmless(c) ? c : Character.isWhitespace(c) ? ' ' : '\ufffd'));
        return line.toString();
    }

    /** Returns false for a control character, one that changes the writing direction, and half of a surrogate pair. */
    private static boolean harmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> (c < 0x202a || c > 0x202e) && (c < 0x2066 || c > 0x2069);
        };
    }

    private static String withoutPaths(String text) {
        if (text.indexOf('/') < 0 && text.indexOf('\\') < 0 && text.indexOf(':') < 0) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = at;
            while (end < text.length() && !separates(text.charAt(end))) {
                end++;
            }
            String token = text.substring(at, end);
            clean.append(isPath(token) ? PATH : token);
            if (end < text.length()) {
                clean.append(text.charAt(end++));
            }
            at = end;
        }
        return clean.toString();
    }

    private static boolean separates(char c) {
        return Character.isWhitespace(c) || "\"'`()[]{}<>,;=|".indexOf(c) >= 0;
    }

    private static boolean isPath(String token) {
        return isAbsolute(token)
                || isOfWindows(token)
                || token.startsWith("file:")
                || token.contains("node_modules/")
                || token.startsWith("../")
                || token.startsWith("./")
                || SOURCE.matcher(token).find();
    }

    /** Returns whether a token begins with a slash and has another one later. */
    private static boolean isAbsolute(String token) {
        return token.length() > 2 && token.charAt(0) == '/' && token.indexOf('/', 2) > 0;
    }

    private static boolean isOfWindows(String token) {
        return token.length() > 3
                && token.charAt(1) == ':'
                && (token.charAt(2) == '\\' || token.charAt(2) == '/')
                && Character.isLetter(token.charAt(0));
    }
}
