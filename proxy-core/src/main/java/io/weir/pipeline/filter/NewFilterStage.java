package io.weir.pipeline.filter;

import io.weir.access.Holding;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stage that creates a filter at a node and gives its client an id of the proxy's own. Thread-safe. */
final class NewFilterStage implements Stage {

    private final FilterTable table;
    private final HeldFilters filters;
    private final UpstreamPool pool;
    private final Stage forward;

    /** @param forward sends a call to some node, and to another only if the first cannot have created a filter */
    NewFilterStage(FilterTable table, HeldFilters filters, UpstreamPool pool, Stage forward) {
        this.table = table;
        this.filters = filters;
        this.pool = pool;
        this.forward = forward;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        Holding holding = new Holding(context.caller(), context.clientAddress());
        RpcReply refusal = table.reserve(holding);
        if (refusal == null) {
            // A failure must return here too, to release the reserved position.
            new CallGuard(context, reply -> sink.accept(held(context, holding, reply))).pass(forward);
        } else {
            sink.accept(refusal);
        }
    }

    private RpcReply held(CallContext context, Holding holding, RpcReply reply) {
        Upstream upstream = answering(context.trace().upstreamId());
        if (upstream == null || !(reply instanceof RpcReply.Result result) || !isId(result.value())) {
            holding.close();
            return reply;
        }
        String id = filters.add(new HeldFilter(holding, upstream, result.value().compact(), context.loop(), filters));
        return new RpcReply.Result(RawJson.of('"' + id + '"'));
    }

    private @Nullable Upstream answering(@Nullable String id) {
        for (Upstream upstream : pool.upstreams()) {
            if (Objects.equals(upstream.id(), id)) {
                return upstream;
            }
        }
        return null;
    }

    private static boolean isId(RawJson value) {
        return value.first() == '"' || (value.first() >= '0' && value.first() <= '9');
    }
}
