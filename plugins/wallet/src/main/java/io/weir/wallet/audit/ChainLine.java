package io.weir.wallet.audit;

import io.weir.wallet.name.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A line whose hash fits it. The hash is the SHA-256 of the line without its last member, {@code hash}. Immutable.
 *
 * @param sequence its number, from 1
 * @param previous the hash of the line before it
 */
record ChainLine(long sequence, String previous, String hash, JsonNode content) {

    /** The hash before the first line. */
    static final String GENESIS = "0".repeat(64);

    /** The most bytes of a line, so that the end of a log is found with bounded work. */
    static final int MAX_BYTES = 1 << 20;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final byte[] HASH_MEMBER = ",\"hash\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int HASH_DIGITS = 64;
    private static final int SUFFIX_BYTES = HASH_MEMBER.length + HASH_DIGITS + 2;

    /** Returns the line of a content, without its end. */
    static String text(long sequence, String previous, ObjectNode content) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("seq", sequence).put("prev", previous).setAll(content);
        String open = line.toString();
        String hash = Fingerprint.hex(open);
        return open.substring(0, open.length() - 1) + ",\"hash\":\"" + hash + "\"}";
    }

    /** Returns a line from its bytes without the line end, or null if they are no line or another one's hash is in it. */
    static @Nullable ChainLine parse(byte[] line) {
        int end = line.length - SUFFIX_BYTES;
        if (end <= 0 || !Arrays.equals(line, end, end + HASH_MEMBER.length, HASH_MEMBER, 0, HASH_MEMBER.length)) {
            return null;
        }
        byte[] open = Arrays.copyOf(line, end + 1);
        open[end] = '}';
        String hash = new String(line, end + HASH_MEMBER.length, HASH_DIGITS, StandardCharsets.US_ASCII);
        if (!hash.equals(sha256(open)) || line[line.length - 2] != '"' || line[line.length - 1] != '}') {
            return null;
        }
        try {
            JsonNode content = MAPPER.readTree(open);
            return new ChainLine(
                    content.path("seq").asLong(0), content.path("prev").asString(""), hash, content);
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Whether bytes are a whole JSON object: what a crash leaves of a line never is, so that somebody has changed this one. */
    static boolean isWhole(byte[] line) {
        try {
            return line.length > 0 && MAPPER.readTree(line).isObject();
        } catch (JacksonException e) {
            return false;
        }
    }

    /** Returns the content of the line that says which bytes before it are no line. */
    static ObjectNode torn(long bytes, String sha256) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("event", "torn")
                .put("torn_bytes", bytes)
                .put("torn_sha256", sha256);
    }

    /** Whether the line says that bytes before it are no line. */
    boolean isTorn() {
        return content.path("event").asString("").equals("torn");
    }

    /** Whether the line says so of these bytes. */
    boolean isTornOf(long bytes, String sha256) {
        return isTorn()
                && content.path("torn_bytes").asLong(-1) == bytes
                && content.path("torn_sha256").asString("").equals(sha256);
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(Fingerprint.digest().digest(bytes));
    }
}
