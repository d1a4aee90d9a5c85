package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.ErrorCode;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Calls of one batch, whose replies it joins in the order of the calls. It bounds how many of its calls run at once, so that one
 * batch does not fill the queues that all clients share, and how many bytes its results take together.
 *
 * <p>A result that does not fit any more becomes an error, as with geth. From then on no further call begins: the rest gets the same
 * error. So many calls run at once that their results fit if they are like those before. All calls have one deadline, and none begins
 * after it. Confined to the batch's event loop.
 */
final class BatchJoin {

    /** Bytes of all results of a batch: geth's default for {@code --rpc.batch-response-max-size}. */
    static final int MAX_BYTES = 25_000_000;

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(BatchJoin.class));
    private static final RpcReply INTERNAL = RpcReply.unavailable("internal error");
    private static final RpcReply LATE = RpcReply.unavailable("the time of the batch is over: send smaller batches");
    private static final RpcReply TOO_LARGE = RpcReply.failure(ErrorCode.RESPONSE_TOO_LARGE.error());
    private static final int MAX_UNDER_WAY = 64;

    /** Replies without a node after which the batch yields the event loop. */
    private static final int ANSWERS_AT_A_TIME = 32;

    private final List<RequestItem> items;
    private final PlannedRequestRunner runner;
    private final Caller caller;
    private final EventLoop loop;
    private final AnswerSink sink;
    private final long deadlineNanos;
    private final List<RawJson> ids;
    private final @Nullable RpcReply[] replies;
    private int missing;
    private int next;
    private int nextPlace;
    private int underWay;
    private boolean beginning;
    private long bytes;
    /** Whether a result did not fit. */
    private boolean full;

    BatchJoin(List<RequestItem> items, PlannedRequestRunner runner, Caller caller, EventLoop loop, AnswerSink sink) {
        this.items = items;
        this.runner = runner;
        this.caller = caller;
        this.loop = loop;
        this.sink = sink;
        this.deadlineNanos = runner.deadlineNanos();
        this.ids = RequestItem.waitingIds(items);
        this.replies = new RpcReply[ids.size()];
        this.missing = replies.length;
    }

    void run() {
        begin();
        if (replies.length == 0) {
            sink.accept(new RequestAnswer.Nothing());
        }
    }

    /** Begins calls while there is room. A call that is answered at once returns here, and the running loop goes on. */
    private void begin() {
        if (beginning) {
            return;
        }
        beginning = true;
        try {
            int first = missing;
            while (next < items.size() && mayBegin()) {
                if (first - missing >= ANSWERS_AT_A_TIME) {
                    loop.execute(this::begin);
                    break;
                }
                RequestItem item = items.get(next++);
                beginGuarded(item, isSilent(item) ? -1 : nextPlace++);
            }
        } finally {
            beginning = false;
        }
    }

    private boolean mayBegin() {
        if (underWay == 0 || full || sink.isGone() || isLate()) {
            return true;
        }
        int answered = replies.length - missing;
        long mean = answered == 0 ? 0 : bytes / answered;
        return underWay < MAX_UNDER_WAY && bytes + (underWay + 1) * mean <= MAX_BYTES;
    }

    private boolean isLate() {
        return System.nanoTime() - deadlineNanos >= 0;
    }

    private static boolean isSilent(RequestItem item) {
        return item instanceof RpcCall call && call.isNotification();
    }

    /** @param place -1 if the item needs no reply */
    private void beginGuarded(RequestItem item, int place) {
        try {
            if (item instanceof RequestItem.Invalid invalid) {
                put(place, RpcReply.failure(invalid.error()));
            } else if (full || sink.isGone()) {
                leaveOut(place, TOO_LARGE);
            } else if (isLate()) {
                leaveOut(place, LATE);
            } else {
                beginCall((RpcCall) item, place);
            }
        } catch (RuntimeException | Error e) {
            if (missing == 0) {
                // The answer of the whole batch failed.
                throw e;
            }
            LOG.warn("batch: a call failed", e);
            if (place >= 0 && replies[place] == null) {
                put(place, INTERNAL);
            }
        }
    }

    /** Answers a call that does not begin. Nobody reads the answer if the client is gone. */
    private void leaveOut(int place, RpcReply reply) {
        if (place >= 0) {
            put(place, reply);
        }
    }

    private void beginCall(RpcCall call, int place) {
        CallContext context = runner.context(call, caller, loop, sink, deadlineNanos);
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
            begin();
        });
    }

    private void put(int place, RpcReply reply) {
        missing--;
        replies[place] = INTERNAL;
        try {
            replies[place] = sink.keep(fit(reply));
        } catch (RuntimeException | Error e) {
            // The other calls of the batch go on, and the batch is answered.
            LOG.warn("batch: a reply was not counted", e);
        }
        if (missing == 0) {
            sink.accept(new RequestAnswer.Many(ids, Arrays.asList(replies)));
        }
    }

    private RpcReply fit(RpcReply reply) {
        int size = reply instanceof RpcReply.Result result ? result.value().length() : 0;
        if (bytes + size > MAX_BYTES) {
            full = true;
            return TOO_LARGE;
        }
        bytes += size;
        return reply;
    }
}
