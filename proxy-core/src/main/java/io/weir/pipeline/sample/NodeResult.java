package io.weir.pipeline.sample;

import io.weir.jsonrpc.RawJson;

/** Result that a node gave. Immutable. */
public record NodeResult(String upstreamId, RawJson value) {}
