package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.InvalidRequest;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.RequestAnswer;
import java.util.Arrays;
import java.util.List;

/**
 * Joins the replies to a batch in the order asked, whatever the order in which they come. Only so many of its calls are under
 * way at once that one batch does not fill the queues that everybody shares. Confined to the batch's event loop.
 */
final class BatchJoin {

    private static final int MOST_UNDER_WAY = 64;

    /** After so many answers that needed no node, the event loop first does what else there is to do. */
    private static final int ANSWERS_AT_A_TIME = 32;

    private final List<RequestItem> items;
    private final AnswerSink sink;
    private final List<RawJson> ids;
    private final RpcReply[] replies;
    private int missing;
    private int next;
    private int nextPlace;
    private int underWay;
    private boolean beginning;

    BatchJoin(List<RequestItem> items, AnswerSink sink) {
        this.items = items;
        this.sink = sink;
        this.ids = RequestItem.waitingIds(items);
        this.replies = new RpcReply[ids.size()];
        this.missing = replies.length;
    }

    void run(PlannedRequestRunner runner, Caller caller, EventLoop loop) {
        begin(runner, caller, loop);
        if (replies.length == 0) {
            sink.accept(new RequestAnswer.Nothing());
        }
    }

    /** Begins calls while there is room. A call that is answered at once comes back here: the loop that runs goes on. */
    private void begin(PlannedRequestRunner runner, Caller caller, EventLoop loop) {
        if (beginning) {
            return;
        }
        beginning = true;
        int first = missing;
        while (next < items.size() && underWay < MOST_UNDER_WAY) {
            if (first - missing >= ANSWERS_AT_A_TIME) {
                loop.execute(() -> begin(runner, caller, loop));
                break;
            }
            RequestItem item = items.get(next++);
            if (item instanceof InvalidRequest invalid) {
                put(nextPlace++, RpcReply.failure(invalid.error()));
                continue;
            }
            RpcCall call = (RpcCall) item;
            CallContext context = runner.context(call, caller, loop);
            if (call.isNotification()) {
                runner.notify(context);
                continue;
            }
            int place = nextPlace++;
            MethodPlan plan = runner.plan(call);
            RpcReply known = PlannedRequestRunner.answerAtOnce(plan, context);
            if (known != null) {
                put(place, known);
                continue;
            }
            underWay++;
            CallGuard guard = new CallGuard(context, reply -> {
                underWay--;
                put(place, reply);
                begin(runner, caller, loop);
            });
            guard.pass(plan.entrance());
        }
        beginning = false;
    }

    private void put(int place, RpcReply reply) {
        replies[place] = reply;
        sink.keep(reply);
        missing--;
        if (missing == 0) {
            sink.accept(new RequestAnswer.Many(ids, Arrays.asList(replies)));
        }
    }
}
