package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.InvalidRequest;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.RequestAnswer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Joins the replies to a batch in the order asked, whatever the order in which they come. Confined to the batch's event loop.
 */
final class BatchJoin {

    private final List<RequestItem> items;
    private final Consumer<RequestAnswer> sink;
    private final List<RawJson> ids;
    private final RpcReply[] replies;
    private int missing;

    BatchJoin(List<RequestItem> items, Consumer<RequestAnswer> sink) {
        this.items = items;
        this.sink = sink;
        this.ids = RequestItem.waitingIds(items);
        this.replies = new RpcReply[ids.size()];
        this.missing = replies.length;
    }

    void run(PlannedRequestRunner runner, Caller caller, EventLoop loop) {
        if (missing == 0) {
            sink.accept(new RequestAnswer.Nothing());
        }
        int place = 0;
        for (RequestItem item : items) {
            if (item instanceof InvalidRequest invalid) {
                put(place++, RpcReply.failure(invalid.error()));
                continue;
            }
            RpcCall call = (RpcCall) item;
            CallContext context = runner.context(call, caller, loop);
            if (call.isNotification()) {
                runner.notify(context);
            } else {
                int mine = place++;
                runner.begin(context, reply -> put(mine, reply));
            }
        }
    }

    private void put(int place, RpcReply reply) {
        replies[place] = reply;
        missing--;
        if (missing == 0) {
            sink.accept(new RequestAnswer.Many(ids, Arrays.asList(replies)));
        }
    }
}
