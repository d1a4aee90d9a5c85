package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import java.util.Map;
import java.util.Set;
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
        return new RpcError(error.code(), CleanText.of(error.message()), data == null ? null : data(data));
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
            return StringNode.valueOf(CleanText.of(value.stringValue()));
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
                    clean.set(CleanText.of(member.getKey()), clean(member.getValue()));
                }
            }
            return clean;
        }
        return value;
    }
}
