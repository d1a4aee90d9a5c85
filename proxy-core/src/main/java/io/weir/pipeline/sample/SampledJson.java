package io.weir.pipeline.sample;

import io.weir.jsonrpc.RawJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON in the form in which the results of several nodes are compared: without white space, and with sorted members. Pure. */
final class SampledJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private SampledJson() {}

    /** Returns the common form; the value itself if it is not JSON. */
    static RawJson normal(RawJson value) {
        try {
            JsonNode tree = MAPPER.readTree(value.array(), value.offset(), value.length());
            return RawJson.of(MAPPER.writeValueAsBytes(MAPPER.treeToValue(tree, Object.class)));
        } catch (JacksonException e) {
            // It was sliced by its delimiters only, or is nested too deeply.
            return value;
        }
    }
}
