package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jackson's view of a text, corrected where Jackson departs from RFC 8259. Jackson skips a byte order mark and accepts
 * some invalid UTF-8, so the JDK decodes texts first. Jackson rejects member names with an unpaired surrogate, so it
 * gets other characters for surrogates in escapes, one for one. Thread-safe.
 */
final class JacksonOracle {

    /** One member of an object as it was written: the name with its escapes resolved, the value byte for byte. */
    record Member(String name, RawJson value) {}

    private static final Pattern SURROGATE = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*\\\\u)[dD]([89a-fA-F])");

    private final JsonMapper trees = JsonMapper.builder().build();
    private final JsonFactory factory;

    JacksonOracle(int maxDepth) {
        factory = JsonFactory.builder()
                .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .build())
                .build();
    }

    /** Whether the text is exactly one JSON value. */
    boolean accepts(byte[] text) {
        Optional<String> decoded = decoded(text);
        if (decoded.isEmpty() || decoded.get().startsWith("\uFEFF")) {
            return false;
        }
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), masked(decoded.get()))) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    private static Optional<String> decoded(byte[] text) {
        try {
            return Optional.of(UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(text))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** The members of an object that is known to be JSON. */
    List<Member> members(byte[] text) {
        List<Member> members = new ArrayList<>();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), masked(text))) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                int start = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                parser.finishToken();
                int end = (int) parser.currentLocation().getByteOffset();
                members.add(new Member(name, RawJson.of(Arrays.copyOfRange(text, start, end))));
            }
        }
        return members;
    }

    /** The tree of a text or a value, surrogates from escapes masked. */
    JsonNode tree(byte[] text) {
        return trees.readTree(masked(text));
    }

    JsonNode tree(RawJson value) {
        return tree(value.toBytes());
    }

    /** The string that a value is, if it is one. */
    Optional<String> string(RawJson value) {
        return trees.readTree(value.toBytes()).stringValueOpt();
    }

    private static byte[] masked(byte[] text) {
        return masked(new String(text, ISO_8859_1)).getBytes(ISO_8859_1);
    }

    private static String masked(String json) {
        return SURROGATE.matcher(json).replaceAll("$1e$2");
    }

    /** A string so that two are equal if at most one of them has been masked as JSON. */
    static String maskedString(String string) {
        StringBuilder masked = new StringBuilder(string);
        for (int i = 0; i < masked.length(); i++) {
            if (Character.isSurrogate(masked.charAt(i))) {
                masked.setCharAt(i, (char) (masked.charAt(i) + 0x1000));
            }
        }
        return masked.toString();
    }
}
