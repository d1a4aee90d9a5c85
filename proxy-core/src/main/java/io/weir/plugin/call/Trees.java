package io.weir.plugin.call;

import io.weir.api.RpcException;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes trees of JSON text for plugins, and text of what they give back. Thread-safe. One for each plugin: Jackson remembers
 * the classes that it has written, and must not remember a plugin's for longer than the plugin lives.
 */
public final class Trees {

    private final JsonMapper mapper = JsonMapper.builder()
            // Numbers go on as they came: a double would change what a node or a client wrote.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private final ObjectReader strict = mapper.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private final int maxValues;

    /** @param maxValues how many values the parameters of one call may hold; a value takes up to 100 bytes in a tree */
    public Trees(int maxValues) {
        this.maxValues = maxValues;
    }

    /**
     * The tree of a call's parameters; an empty array where there are none.
     *
     * @throws RpcException when there are too many values, a name stands twice in an object, or a value is beyond Jackson's bounds
     */
    JsonNode params(@Nullable RawJson params) {
        if (params == null) {
            return mapper.createArrayNode();
        }
        int values = ValueCount.of(params);
        if (values > maxValues) {
            throw new RpcException(
                    RpcException.INVALID_PARAMS, "params: " + values + " values (expected: at most " + maxValues + ")");
        }
        try {
            return strict.readTree(params.array(), params.offset(), params.length());
        } catch (JacksonException e) {
            throw new RpcException(
                    RpcException.INVALID_PARAMS,
                    ErrorCode.INVALID_PARAMS.error().message());
        }
    }

    /** The tree of a value that the proxy has read before. */
    JsonNode tree(RawJson json) {
        return mapper.readTree(json.array(), json.offset(), json.length());
    }

    /**
     * The text of a tree that a plugin gave.
     *
     * @throws RuntimeException when it is none, or cannot be written
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

    /** Whether objects of other classes are in the tree, which may write themselves as anything at all. */
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

    /** The error that an exception stands for. */
    RpcError error(RpcException exception) {
        String message = exception.getMessage();
        JsonNode data = exception.data();
        return new RpcError(exception.code(), message == null ? "" : message, data == null ? null : text(data));
    }

    /** The exception that stands for an error. */
    RpcException exception(RpcError error) {
        RawJson data = error.data();
        return new RpcException(error.code(), error.message(), data == null ? null : tree(data));
    }
}
