package io.weir.pipeline.agree;

import io.weir.jsonrpc.RawJson;

/** Result that a node gave. Immutable. */
public record NodeResult(String upstreamId, RawJson value) {}
