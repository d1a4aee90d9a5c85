package io.weir.pipeline.cache;

import com.codahale.metrics.Counter;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.memory.ResultMemory;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.admission.CacheRequests;
import io.weir.pipeline.watch.NetworkChain;

/**
 * The parts of one network's cache that answer its calls. Immutable; its members are thread-safe.
 *
 * @param network the name of its results in memory
 * @param judged whether each result was judged when it came
 */
record CacheParts(
        String network,
        boolean judged,
        ResultMemory memory,
        CacheMeters meters,
        NetworkChain chain,
        CacheReader reader,
        CachedBlocks blocks,
        BlockPrefetcher prefetcher,
        CacheRequests requests,
        ResponseCaching responses) {

    /**
     * Serves a result from memory if there is budget for it.
     *
     * @param whole whether the result is stored as it is served; otherwise it is a slice of a block
     * @param proven the parts that were proven, as clients see them; empty if none was
     * @return the reply, or a failure if there is no budget for it
     */
    RpcReply serve(CallContext context, CacheClass rule, RpcReply reply, boolean whole, String proven) {
        if (memory.hasRoom(reply)) {
            return hit(context, counter(rule, whole), reply, whole, proven);
        }
        counter(rule, whole).inc();
        return RpcReply.NO_ROOM;
    }

    /**
     * Serves a result for which there is budget: counts the hit and notes it in the call's trace. Returns the reply.
     *
     * @param counter of the method's hits; see {@link #counter}
     */
    RpcReply hit(CallContext context, Counter counter, RpcReply reply, boolean whole, String proven) {
        counter.inc();
        if (judged) {
            context.trace().markJudged();
        }
        if (whole) {
            context.trace().markHit(proven);
        } else {
            context.trace().markDerived(proven);
        }
        return reply;
    }

    /** Returns the counter of hits on a class of results. */
    Counter counter(CacheClass rule, boolean whole) {
        return meters.counter(rule.kind(), whole ? LookupOutcome.HIT : LookupOutcome.DERIVED);
    }
}
