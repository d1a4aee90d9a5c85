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
import io.weir.pipeline.ClientPresence;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.SessionRequest;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.ResultStream;
import io.weir.upstream.stream.BatchStream;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Calls of one batch, whose replies it joins in the order of the calls. It bounds how many of its calls run at once, so that one
 * batch does not fill the queues that all clients share.
 *
 * <p>Small replies are answered together, once all of them have come. A large result streams if the replies before it have come, and so
 * does the batch whose replies take too much memory. From then on all its replies go out in order as they come. While the result
 * streams, or while much is held, no further call begins; and so many at once that their replies, if they are like those before, are no
 * more than may be held. A call for whose result there was no room begins anew in its turn, once no other call is under way and all
 * replies before it have gone out. Confined to the batch's event loop.
 */
final class BatchJoin implements BatchStream.Batch {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(BatchJoin.class));
    private static final RpcReply INTERNAL = RpcReply.unavailable("internal error");
    private static final int MAX_UNDER_WAY = 64;

    /** Replies without a node after which the batch yields the event loop. */
    private static final int ANSWERS_AT_A_TIME = 32;

    /** Bytes of results that are held before they go out in order, if the client can take them. */
    private static final int MAX_HELD_BYTES = 1 << 22;

    private final List<RequestItem> items;
    private final PlannedRequestRunner runner;
    private final Caller caller;
    private final EventLoop loop;
    private final AnswerSink sink;
    private final List<RawJson> ids;
    private final @Nullable RpcReply[] replies;
    private int missing;
    private int next;
    private int nextPlace;
    private int underWay;
    private boolean beginning;

    /** The place before which all replies have come. */
    private int ready;

    private long held;
    private long bytes;
    /** Null until the replies go out while others are still to come. */
    private @Nullable BatchStream stream;
    /** Whether the result with the place {@code ready} streams. */
    private boolean streaming;

    /** Null until there was no room for a result. */
    private @Nullable PostponedCalls postponed;

    /** The place of the call that began anew last; -1 if none did. */
    private int anew = -1;

    private boolean closed;
    private boolean over;

    BatchJoin(List<RequestItem> items, PlannedRequestRunner runner, Caller caller, EventLoop loop, AnswerSink sink) {
        this.items = items;
        this.runner = runner;
        this.caller = caller;
        this.loop = loop;
        this.sink = sink;
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
            beginPostponed();
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

    private void beginPostponed() {
        while (postponed != null && ready < replies.length && postponed.has(ready) && mayBeginAnew()) {
            postponed.remove(ready);
            anew = ready;
            beginGuarded(postponed.item(ready), ready);
        }
    }

    /** Returns whether nothing of the batch takes memory that will be free soon. */
    private boolean mayBeginAnew() {
        return underWay == 0 && !closed && (stream == null || stream.hasSent(ready));
    }

    private boolean mayBegin() {
        if (postponed != null && !postponed.isEmpty()) {
            return false;
        }
        if (stream == null) {
            return underWay < MAX_UNDER_WAY;
        }
        if (closed || streaming || held >= MAX_HELD_BYTES) {
            return false;
        }
        long mean = bytes / Math.max(1, replies.length - missing);
        return underWay == 0 || (underWay < MAX_UNDER_WAY && held + (underWay + 1) * mean <= MAX_HELD_BYTES);
    }

    private static boolean isSilent(RequestItem item) {
        return item instanceof RpcCall call && call.isNotification();
    }

    /** @param place -1 if the item needs no reply */
    private void beginGuarded(RequestItem item, int place) {
        try {
            if (item instanceof RequestItem.Invalid invalid) {
                put(place, RpcReply.failure(invalid.error()), null);
            } else {
                beginCall((RpcCall) item, place);
            }
        } catch (RuntimeException | Error e) {
            if (missing == 0) {
                // The answer of the whole batch failed.
                throw e;
            }
            LOG.warn("batch: a call failed", e);
            if (place >= 0 && !closed && replies[place] == null) {
                put(place, INTERNAL, null);
            }
        }
    }

    private void beginCall(RpcCall call, int place) {
        CallContext context = runner.context(call, caller, loop, sink);
        if (call.isNotification()) {
            runner.notify(context);
            return;
        }
        if (postponed != null) {
            postponed.noteBill(place, context);
        }
        MethodPlan plan = runner.plan(call);
        RpcReply cached = plan.tryCached(context);
        if (cached != null) {
            put(place, cached, null);
            return;
        }
        if (plan.streams()) {
            context.cameFrom(new BatchedClient(sink, () -> isNext(place)));
            context.mayStream();
        }
        underWay++;
        plan.run(context, reply -> {
            underWay--;
            if (!(plan.streams() && reply.equals(RpcReply.NO_ROOM) && postpone(place))) {
                put(place, reply, context.stream());
            }
            begin();
        });
    }

    /** Lets a call begin anew in its turn. Returns false if this would not help. */
    private boolean postpone(int place) {
        boolean alone = place == ready && held == 0;
        if (alone || closed || !(stream != null || sink.takesStream())) {
            return false;
        }
        PostponedCalls later = postponed == null ? new PostponedCalls(items) : postponed;
        postponed = later;
        boolean dropped = place == ready && dropOthers(later);
        if (place == anew && !dropped) {
            // It had all the room that the batch can make. A further attempt would only be one more call to a node.
            return false;
        }
        later.add(place, 0);
        return true;
    }

    /** Drops what others hold, because it is in the way of the reply without which they cannot go out. Returns whether there was any. */
    private boolean dropOthers(PostponedCalls later) {
        boolean any = false;
        for (int other = ready + 1; other < replies.length; other++) {
            RpcReply reply = replies[other];
            if (reply != null
                    && size(reply) > 0
                    && later.item(other) instanceof RpcCall call
                    && runner.plan(call).streams()) {
                passedOn(reply);
                replies[other] = null;
                missing++;
                later.add(other, size(reply));
                any = true;
            }
        }
        return any;
    }

    /** Returns whether the result with this place can go on to the client from now on. */
    private boolean isNext(int place) {
        return place == ready && !streaming && !closed && (stream != null || sink.takesStream());
    }

    /** @param result the result if it goes on while it arrives, else null */
    private void put(int place, RpcReply reply, @Nullable ResultStream result) {
        missing--;
        if (closed) {
            if (result != null) {
                result.close();
            }
            endCalls();
            return;
        }
        replies[place] = reply;
        held += size(reply);
        bytes += size(reply);
        try {
            sink.keep(reply);
        } catch (RuntimeException | Error e) {
            // The other calls of the batch go on, and the batch is answered.
            LOG.warn("batch: a reply was not counted", e);
        }
        boolean streams = reply instanceof RpcReply.Streamed && result != null;
        if (streams) {
            streaming = true;
        } else if (place == ready) {
            moveReady();
        }
        if (streams || stream != null || (missing > 0 && held > MAX_HELD_BYTES && sink.takesStream())) {
            goOut(streams ? result : null);
        } else if (missing == 0) {
            sink.accept(new RequestAnswer.Many(ids, Arrays.asList(replies)));
        }
    }

    private void moveReady() {
        while (ready < replies.length && replies[ready] != null) {
            ready++;
        }
    }

    private static int size(@Nullable RpcReply reply) {
        return reply instanceof RpcReply.Result result ? result.value().length() : 0;
    }

    /** Lets the replies go out in order as they come. */
    private void goOut(@Nullable ResultStream result) {
        BatchStream out = stream == null ? new BatchStream(ids, loop, this) : stream;
        if (result != null) {
            out.stream(result);
        }
        if (stream == null) {
            stream = out;
            try {
                sink.accept(new RequestAnswer.InOrder(out));
            } finally {
                if (!out.isBegun()) {
                    out.close();
                }
            }
        } else {
            out.replied();
        }
        endCalls();
    }

    private void endCalls() {
        if (!over && ((missing == 0 && !streaming) || (closed && underWay == 0))) {
            over = true;
            sink.callsEnded();
        }
    }

    @Override
    public @Nullable RpcReply reply(int place) {
        return replies[place];
    }

    @Override
    public void passedOn(RpcReply reply) {
        held -= size(reply);
        sink.passedOn(reply);
    }

    @Override
    public void streamed(int more) {
        bytes += more;
    }

    @Override
    public void streamEnded() {
        streaming = false;
        moveReady();
        endCalls();
    }

    @Override
    public void goOn() {
        begin();
    }

    @Override
    public void closed() {
        closed = true;
        Arrays.fill(replies, null);
        endCalls();
    }

    /**
     * The client of a batch, as one of its calls knows it. Confined to the event loop of its connection.
     *
     * @param takes whether the client can take a result of the call now that goes on while it arrives
     */
    private record BatchedClient(ClientPresence client, BooleanSupplier takes) implements ClientPresence {

        @Override
        public void whenClientLeaves(Runnable action) {
            client.whenClientLeaves(action);
        }

        @Override
        public boolean takesStream() {
            return takes.getAsBoolean();
        }

        @Override
        public @Nullable InetAddress clientAddress() {
            return client.clientAddress();
        }

        @Override
        public @Nullable TraceHeaders traceHeaders() {
            return client.traceHeaders();
        }

        @Override
        public @Nullable SessionRequest sessionRequest() {
            return client.sessionRequest();
        }
    }
}
