package io.weir.subscription.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterEnding;
import io.weir.pipeline.filter.FilterTable;
import io.weir.pipeline.filter.LostFilter;
import io.weir.subscription.filter.ChangeJournal.State;
import java.util.concurrent.TimeUnit;

/** Stage that answers the poll of a filter of the stream from the journal. Thread-safe. */
final class FilterChangesStage implements Stage {

    private static final RpcReply NOTHING = new RpcReply.Result(RawJson.EMPTY_ARRAY);
    private static final RpcReply OVERLOADED = RpcReply.unavailable("overloaded");

    private final StreamFilters filters;
    private final FilterTable table;
    private final Stage atNode;

    FilterChangesStage(StreamFilters filters, FilterTable table, Stage atNode) {
        this.filters = filters;
        this.table = table;
        this.atNode = atNode;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FilterLookup found = FilterLookup.of(context, table);
        if (found == null) {
            atNode.handle(context, sink);
        } else {
            filters.whenTold(
                    found.filter().kind(), context.loop(), () -> context.step(() -> poll(found, context, sink)));
        }
    }

    private void poll(FilterLookup found, CallContext context, ReplySink sink) {
        if (found.filter().tryPoll()) {
            walk(filters.poll(found.filter(), context.holder()), found, context, sink);
        } else {
            sink.accept(NOTHING);
        }
    }

    private void walk(FilterPoll poll, FilterLookup found, CallContext context, ReplySink sink) {
        RpcReply reply;
        try {
            if (!poll.walk()) {
                // Scheduled instead of executed, because a loop runs all executed tasks before it looks at its sockets.
                Runnable next = () -> context.step(() -> walk(poll, found, context, sink));
                context.loop().schedule(next, 0, TimeUnit.NANOSECONDS);
                return;
            }
            reply = reply(poll, found);
        } catch (RuntimeException | Error e) {
            poll.fail();
            throw e;
        }
        if (reply instanceof RpcReply.Result) {
            poll.succeed(() -> sink.accept(reply));
        } else {
            poll.fail();
            sink.accept(reply);
        }
    }

    private RpcReply reply(FilterPoll poll, FilterLookup found) {
        State state = poll.state();
        if (state != State.KNOWN) {
            FilterEnding ending = state == State.EVICTED ? FilterEnding.EVICTED : FilterEnding.LOST;
            table.end(found.id(), found.filter(), ending);
            return LostFilter.REPLY;
        }
        RawJson result = poll.result();
        return result == null ? OVERLOADED : new RpcReply.Result(result);
    }
}
