package io.weir.plugin.call;

import io.weir.api.RpcException;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The conversion between JSON text and trees for plugins. Thread-safe. Each plugin has its own: Jackson retains the
 * classes that it has written, and must not retain a plugin's after the plugin is unloaded.
 */
public final class Trees {

    private final JsonMapper mapper = JsonMapper.builder()
            // Keeps numbers exact: a double would change the number of a node or a client.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private final ObjectReader strict = mapper.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private final int maxValues;

    /**
     * Creates a conversion.
     *
     * @param maxValues maximum number of values in the parameters of one call; a value takes up to 100 bytes in a tree
     */
    public Trees(int maxValues) {
        this.maxValues = maxValues;
    }

    /**
     * Returns the tree of a call's parameters; an empty array if absent.
     *
     * @throws RpcException if there are too many values, a duplicate name in an object, or a value beyond Jackson's
     *     bounds
     */
    JsonNode params(@Nullable RawJson params) {
        if (params == null) {
            return mapper.createArrayNode();
        }
        try {
            int values = values(params);
            if (values > maxValues) {
                throw new RpcException(
                        RpcException.INVALID_PARAMS,
                        "params: " + values + " values (expected: at most " + maxValues + ")");
            }
            return strict.readTree(params.array(), params.offset(), params.length());
        } catch (JacksonException e) {
            throw new RpcException(
                    RpcException.INVALID_PARAMS,
                    ErrorCode.INVALID_PARAMS.error().message());
        }
    }

    /** Returns the number of lists, objects, texts, numbers and literals in a text, of which it makes no tree. */
    private int values(RawJson json) {
        int values = 0;
        try (JsonParser parser = mapper.createParser(json.array(), json.offset(), json.length())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                values += token.isScalarValue() || token.isStructStart() ? 1 : 0;
            }
        }
        return values;
    }

    /** Returns the tree of a value that the proxy has read before. */
    JsonNode tree(RawJson json) {
        return mapper.readTree(json.array(), json.offset(), json.length());
    }

    /**
     * Returns the text of a plugin's tree.
     *
     * @throws RuntimeException if it is missing or cannot be written
     */
    RawJson text(@Nullable JsonNode tree) {
        if (tree == null || tree.isMissingNode()) {
            throw new IllegalStateException("it gave " + tree + " (expected: a value; JSON null is NullNode)");
        }
        byte[] text = mapper.writeValueAsBytes(tree);
        if (holdsObjects(tree)) {
            check(text);
        }
        return RawJson.of(text);
    }

    /** Returns whether the tree contains objects of other classes, which may write arbitrary text. */
    private static boolean holdsObjects(JsonNode tree) {
        if (tree.isPojo()) {
            return true;
        }
        for (JsonNode child : tree) {
            if (holdsObjects(child)) {
                return true;
            }
        }
        return false;
    }

    private void check(byte[] text) {
        try (JsonParser parser = mapper.createParser(text)) {
            boolean begun = parser.nextToken() != null;
            parser.skipChildren();
            if (!begun || parser.nextToken() != null) {
                throw new IllegalStateException("it wrote raw text (expected: one JSON value)");
            }
        }
    }

    /** Converts an exception to an error. */
    RpcError error(RpcException exception) {
        String message = exception.getMessage();
        JsonNode data = exception.data();
        return new RpcError(exception.code(), message == null ? "" : message, data == null ? null : text(data));
    }

    /** Converts an error to an exception. */
    RpcException exception(RpcError error) {
        RawJson data = error.data();
        return new RpcException(error.code(), error.message(), data == null ? null : tree(data));
    }
}
