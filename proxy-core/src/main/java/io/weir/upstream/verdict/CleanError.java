package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.upstream.verdict.RevertError.RevertPayload;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Filter that makes a node's error presentable to clients. The code stays. Message and data lose control characters, stack
 * traces and file paths. Data without any of these passes byte for byte. Thread-safe.
 */
final class CleanError {

    /** Bytes. Larger or more deeply nested data is left out unless it is hex, because it explains nothing. */
    static final int MAX_DATA_BYTES = 64 * 1024;

    private static final int MAX_DEPTH = 32;

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

    private static final Pattern TOKEN = Pattern.compile("[^\\p{javaWhitespace}\"'`()\\[\\]{}<>,;=|]+");

    /** Line of a source file. */
    private static final Pattern SOURCE =
            Pattern.compile("\\.(?:js|mjs|cjs|ts|rs|go|java|kt|cs|py|cc|cpp|nim|ex):\\d", Pattern.CASE_INSENSITIVE);

    private static final Set<String> STACKS = Set.of("stack", "stackTrace", "stacktrace", "stack_trace", "backtrace");

    private final JsonMapper mapper = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            // Otherwise only one of two members with the same name would be checked, and both would pass.
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    /** Returns the error as a client may see it. */
    RpcError of(RpcError error) {
        RawJson data = error.data();
        return new RpcError(error.code(), text(error.message()), data == null ? null : data(data));
    }

    private @Nullable RawJson data(RawJson data) {
        if (RevertPayload.isHex(data)) {
            return data.compact();
        }
        if (data.length() > MAX_DATA_BYTES) {
            return null;
        }
        try {
            JsonNode tree = mapper.readTree(data.array(), data.offset(), data.length());
            JsonNode clean = clean(tree);
            return clean.equals(tree) ? data.compact() : RawJson.of(mapper.writeValueAsBytes(clean));
        } catch (JacksonException e) {
            // The data was sliced by its delimiters only: it is not JSON inside, or nested too deeply.
            return null;
        }
    }

    private static JsonNode clean(JsonNode value) {
        if (value.isString()) {
            return StringNode.valueOf(text(value.stringValue()));
        }
        if (value instanceof ArrayNode array) {
            ArrayNode clean = array.arrayNode();
            array.values().forEach(one -> clean.add(clean(one)));
            return clean;
        }
        if (value instanceof ObjectNode object) {
            ObjectNode clean = object.objectNode();
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (!STACKS.contains(member.getKey())) {
                    clean.set(text(member.getKey()), clean(member.getValue()));
                }
            }
            return clean;
        }
        return value;
    }

    /** Returns the text as a client may see it. */
    static String text(String text) {
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
        if (text.codePoints().allMatch(CleanError::harmless)) {
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
        return TOKEN.matcher(text)
                .replaceAll(token -> isPath(token.group()) ? PATH : Matcher.quoteReplacement(token.group()));
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
