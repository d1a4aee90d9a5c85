package io.weir.subscription.filter;

import io.netty.channel.EventLoop;
import io.weir.access.Holding;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterTable;
import io.weir.subscription.delivery.EventSource;
import org.jspecify.annotations.Nullable;

/** Stage that creates a filter of the stream. If the stream cannot serve it, a node holds it. Thread-safe. */
final class NewStreamFilterStage implements Stage {

    private final StreamFilters filters;
    private final FilterRequest.Reader reader;
    private final FilterTable table;
    private final Stage atNode;

    /** @param reader of the kind of filter that the calls are for */
    NewStreamFilterStage(StreamFilters filters, FilterRequest.Reader reader, FilterTable table, Stage atNode) {
        this.filters = filters;
        this.reader = reader;
        this.table = table;
        this.atNode = atNode;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FilterRequest request = reader.read(FirstParam.of(context.call().params()));
        if (request == null) {
            atNode.handle(context, sink);
            return;
        }
        Holding holding = new Holding(context.caller(), context.clientAddress());
        RpcReply refusal = reserve(holding, request);
        if (refusal != null) {
            sink.accept(refusal);
            return;
        }
        EventLoop loop = context.loop();
        EventSource source = filters.source(request.kind());
        StreamFilter filter = new StreamFilter(request, filters.journal(), source, holding);
        source.join(filter, context.deadlineNanos(), failure -> {
            if (failure == null) {
                filters.journal().open(filter);
            }
            if (!loop.isShuttingDown()) {
                loop.execute(() -> context.step(() -> joined(filter, failure, context, sink)));
            }
        });
    }

    private RpcReply.@Nullable Failure reserve(Holding holding, FilterRequest request) {
        RpcReply.Failure refusal = table.reserve(holding);
        if (refusal != null) {
            return refusal;
        }
        RawJson params = request.params();
        long kept = params == null ? 0 : params.length();
        RpcReply.Failure excess = filters.limits().takeForFilter(holding, request.criteria(), kept);
        if (excess != null) {
            holding.close();
        }
        return excess;
    }

    private void joined(StreamFilter filter, RpcReply.@Nullable Failure failure, CallContext context, ReplySink sink) {
        if (failure == null) {
            String id = table.add(filter);
            filters.sweep(table, context.loop());
            sink.accept(new RpcReply.Result(RawJson.of('"' + id + '"')));
        } else {
            filter.holding().close();
            atNode.handle(context, sink);
        }
    }
}
