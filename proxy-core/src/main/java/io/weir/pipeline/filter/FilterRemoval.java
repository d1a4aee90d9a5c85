package io.weir.pipeline.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;

/** Answers to the removal of a filter. */
public final class FilterRemoval {

    /** The filter was there. */
    public static final RpcReply REMOVED = new RpcReply.Result(RawJson.of("true"));

    /** The caller has no such filter. */
    public static final RpcReply NOT_THERE = new RpcReply.Result(RawJson.of("false"));

    private FilterRemoval() {}
}
