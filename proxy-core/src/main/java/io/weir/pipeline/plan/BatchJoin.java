package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.RequestAnswer;
import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Calls of one batch, whose replies it joins in the order of the calls. It bounds how many of its calls run at once, so that one
 * batch does not fill the queues that all clients share. Confined to the batch's event loop.
 */
final class BatchJoin {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(BatchJoin.class));
    private static final RpcReply INTERNAL = RpcReply.unavailable("internal error");
    private static final int MAX_UNDER_WAY = 64;

    /** Replies without a node after which the batch yields the event loop. */
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

    /** Begins calls while there is room. A call that is answered at once returns here, and the running loop goes on. */
    private void begin(PlannedRequestRunner runner, Caller caller, EventLoop loop) {
        if (beginning) {
            return;
        }
        beginning = true;
        try {
            int first = missing;
            while (next < items.size() && underWay < MAX_UNDER_WAY) {
                if (first - missing >= ANSWERS_AT_A_TIME) {
                    loop.execute(() -> begin(runner, caller, loop));
                    break;
                }
                beginGuarded(items.get(next++), runner, caller, loop);
            }
        } finally {
            beginning = false;
        }
    }

    private void beginGuarded(RequestItem item, PlannedRequestRunner runner, Caller caller, EventLoop loop) {
        boolean silent = item instanceof RpcCall call && call.isNotification();
        int place = silent ? -1 : nextPlace++;
        try {
            if (item instanceof RequestItem.Invalid invalid) {
                put(place, RpcReply.failure(invalid.error()));
            } else {
                beginCall((RpcCall) item, place, runner, caller, loop);
            }
        } catch (RuntimeException | Error e) {
            if (missing == 0) {
                // The answer of the whole batch failed.
                throw e;
            }
            LOG.warn("batch: a call failed", e);
            if (!silent && replies[place] == null) {
                put(place, INTERNAL);
            }
        }
    }

    private void beginCall(RpcCall call, int place, PlannedRequestRunner runner, Caller caller, EventLoop loop) {
        CallContext context = runner.context(call, caller, loop, sink);
        if (call.isNotification()) {
            runner.notify(context);
            return;
        }
        MethodPlan plan = runner.plan(call);
        RpcReply cached = plan.tryCached(context);
        if (cached != null) {
            put(place, cached);
            return;
        }
        underWay++;
        plan.run(context, reply -> {
            underWay--;
            put(place, reply);
            begin(runner, caller, loop);
        });
    }

    private void put(int place, RpcReply reply) {
        replies[place] = reply;
        missing--;
        try {
            sink.keep(reply);
        } catch (RuntimeException | Error e) {
            // The other calls of the batch go on, and the batch is answered.
            LOG.warn("batch: a reply was not counted", e);
        }
        if (missing == 0) {
            sink.accept(new RequestAnswer.Many(ids, Arrays.asList(replies)));
        }
    }
}
