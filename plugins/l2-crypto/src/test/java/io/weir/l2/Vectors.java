package io.weir.l2;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The vectors in this module's test resources. */
public final class Vectors {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Vectors() {}

    /** A file's text. */
    public static String text(String file) {
        try (InputStream stream =
                Objects.requireNonNull(Vectors.class.getResourceAsStream("/starknet/" + file), file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String file) {
        return parse(text(file));
    }

    public static JsonNode parse(String json) {
        return JSON.readTree(json);
    }

    /** A block of the numbers that were copied by hand. */
    public static JsonNode transcribed(String block) {
        JsonNode found = json("transcribed_vectors.json").path(block);
        if (found.isMissingNode()) {
            throw new IllegalArgumentException(block);
        }
        return found;
    }

    public static Felt felt(JsonNode text) {
        return Felt.parse(text.stringValue());
    }

    public static List<Felt> felts(JsonNode array) {
        return array.valueStream().map(Vectors::felt).toList();
    }

    /** 32 bytes of hexadecimal digits, with or without 0x and leading zeros. */
    public static byte[] bytes32(String hex) {
        String digits = hex.startsWith("0x") ? hex.substring(2) : hex;
        return HexFormat.of().parseHex("0".repeat(64 - digits.length()) + digits);
    }
}
