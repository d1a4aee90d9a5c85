package io.weir.transport.request;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.access.KeyRefusal;
import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.SessionRequest;
import io.weir.tracing.TraceHeaders;
import io.weir.transport.log.AccessLogEntry;
import io.weir.upstream.ResultStream;
import io.weir.upstream.WatchedStream;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The calls of one connection, within the bounds on calls in flight: its own, and that of all connections. A body over
 * the connection's bound waits for earlier calls, and reading pauses meanwhile; a body larger than the bound runs alone.
 * A body over the bound of all connections, or over its caller's share of it, is refused. The bytes of an answer, whose size is
 * approximate, count in the reservation of its request until the answer is sent or certain never to be sent. Confined to its event loop.
 */
public final class ConnectionCalls {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(ConnectionCalls.class));
    private static final RpcReply.Failure OVERLOADED =
            new RpcReply.Failure(ErrorCode.INTERNAL_ERROR.error("overloaded"), RpcReply.FailureKind.UNAVAILABLE, 1);

    /** Bytes around a result or an error. */
    private static final int FRAME_BYTES = 128;

    private final ListenerContext listener;
    private final Budget calls;
    private final @Nullable ReadPauseHandler pause;
    private final int max;
    private final EventLoop loop;
    private final Queue<Body> waiting = new ArrayDeque<>(1);
    private int inFlight;

    /** @param pause pauses the reading of the connection; null if another bound limits the bodies that it sends */
    public ConnectionCalls(ListenerContext listener, @Nullable ReadPauseHandler pause, EventLoop loop) {
        this.listener = listener;
        this.calls = listener.calls();
        this.max = listener.limits().calls();
        this.pause = pause;
        this.loop = loop;
    }

    /**
     * Runs a body now, or when earlier calls have ended.
     *
     * @param body given up by the sender
     * @param entry records the calls, or null if the access log is off
     * @param sink gets the answer once, on the loop
     */
    public void run(BodyBuffer body, Admission.Granted granted, @Nullable AccessLogEntry entry, AnswerSink sink) {
        RequestBody read = listener.readers().get().read(body.array(), 0, body.length());
        if (entry != null) {
            entry.requested(read.items());
        }
        Body next = new Body(read, body.reservation(), granted, sink);
        if (waiting.isEmpty() && fits(next)) {
            next.begin();
        } else {
            waiting.add(next);
            if (pause != null) {
                pause.pause(ReadPauseHandler.Cause.CALLS);
            }
        }
    }

    private boolean fits(Body next) {
        return inFlight == 0 || next.count <= max - inFlight;
    }

    private void runWaiting() {
        while (!waiting.isEmpty() && fits(waiting.element())) {
            waiting.remove().begin();
        }
        if (waiting.isEmpty()) {
            resume();
        }
    }

    private void resume() {
        if (pause != null) {
            pause.resume(ReadPauseHandler.Cause.CALLS);
        }
    }

    /** Drops the body of this sink if it waits. The sink gets {@link RequestAnswer.Nothing}. */
    @SuppressWarnings("ReferenceEquality") // The sink itself: its body alone is dropped.
    public void drop(AnswerSink sink) {
        for (Iterator<Body> bodies = waiting.iterator(); bodies.hasNext(); ) {
            Body body = bodies.next();
            if (body.sink == sink) {
                bodies.remove();
                body.drop();
                runWaiting();
                return;
            }
        }
    }

    /** Drops waiting bodies, whose senders get {@link RequestAnswer.Nothing}. Calls in flight continue. */
    public void close() {
        for (Body body = waiting.poll(); body != null; body = waiting.poll()) {
            body.drop();
        }
        resume();
    }

    /** A body that waits or runs. It passes on one answer, and gives back what it took. Confined to its event loop. */
    private final class Body implements AnswerSink {

        private final RequestBody read;
        private final int count;
        private final Reservation bytes;
        private final Admission.Granted granted;
        private final AnswerSink sink;
        private long taken;
        private @Nullable Share held;
        private boolean done;
        /** Bytes of replies that were counted before the others of their batch. */
        private long batchedBytes;

        Body(RequestBody read, Reservation bytes, Admission.Granted granted, AnswerSink sink) {
            this.read = read;
            this.count = read.count();
            this.bytes = bytes;
            this.granted = granted;
            this.sink = sink;
            granted.network().bodies().take(1);
        }

        /** Ends without having begun. */
        void drop() {
            granted.network().bodies().give(1);
            sink.accept(new RequestAnswer.Nothing());
        }

        void begin() {
            inFlight += count;
            // A batch larger than the bound of all connections may still run alone.
            long needed = Math.min(count, calls.max());
            Share share = calls.share(granted.holder());
            if (!share.tryTake(needed)) {
                refuse();
                return;
            }
            taken = needed;
            held = share;
            try {
                granted.network().runner().run(read, granted.caller(), loop, this);
            } catch (RuntimeException | Error e) {
                LOG.warn("request failed", e);
                accept(new RequestAnswer.One(RawJson.NULL, RpcReply.INTERNAL, null));
            }
        }

        private void refuse() {
            listener.rejections().count(Rejection.Reason.OVERLOAD);
            if (calls.hasCapacity()) {
                granted.caller().account().refused(KeyRefusal.SHARE);
            }
            boolean batch = read instanceof RequestBody.Batch;
            accept(new RequestAnswer.Refused(RequestItem.waitingIds(read.items()), OVERLOADED, batch));
        }

        @Override
        public RpcReply keep(RpcReply reply) {
            RpcReply kept = hasRoom(reply) ? reply : RpcReply.NO_ROOM;
            long size = size(kept);
            batchedBytes += size;
            bytes.add(size);
            return kept;
        }

        @Override
        public void whenClientLeaves(Runnable action) {
            sink.whenClientLeaves(action);
        }

        @Override
        public boolean isGone() {
            return sink.isGone();
        }

        @Override
        public boolean takesStream() {
            return sink.takesStream();
        }

        @Override
        public @Nullable InetAddress clientAddress() {
            return sink.clientAddress();
        }

        @Override
        public Object holder(Caller caller) {
            return granted.holder();
        }

        @Override
        public @Nullable TraceHeaders traceHeaders() {
            return sink.traceHeaders();
        }

        @Override
        public @Nullable SessionRequest sessionRequest() {
            return sink.sessionRequest();
        }

        @Override
        public void accept(RequestAnswer answer) {
            if (!done) {
                done = true;
                if (answer instanceof RequestAnswer.One one && one.stream() != null) {
                    stream(one, one.stream());
                } else {
                    giveBack();
                    sink.accept(counted(answer));
                    runWaiting();
                }
            }
        }

        /** Counts the bytes of the answer. Returns it, or the one in its place if the holder's share has no room for it. */
        private RequestAnswer counted(RequestAnswer answer) {
            RequestAnswer kept = answer;
            if (answer instanceof RequestAnswer.One one && !hasRoom(one.reply())) {
                kept = new RequestAnswer.One(one.id(), RpcReply.NO_ROOM, one.context());
            }
            bytes.add(Math.max(0, size(kept) - batchedBytes));
            return kept;
        }

        /** A small reply always has room, so that the result of an executed call is not lost. */
        private boolean hasRoom(RpcReply reply) {
            long size = size(reply);
            return size <= BodyBuffer.SMALL_BYTES || bytes.permits(size);
        }

        /** Passes on a result that goes on while it arrives. Its call ends with it. */
        private void stream(RequestAnswer.One answer, ResultStream result) {
            ResultStream watched = new WatchedStream(result) {
                @Override
                protected void onClosed() {
                    callEnded();
                }
            };
            try {
                sink.accept(new RequestAnswer.One(answer.id(), watched, answer.context()));
            } finally {
                if (!watched.isBegun()) {
                    // Nobody takes it.
                    watched.close();
                }
            }
        }

        private void callEnded() {
            giveBack();
            runWaiting();
        }

        private void giveBack() {
            inFlight -= count;
            if (held != null) {
                held.give(taken);
            }
            granted.network().bodies().give(1);
        }
    }

    private static long size(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            return size(one.reply());
        }
        if (answer instanceof RequestAnswer.Many many) {
            long sum = 0;
            for (RpcReply reply : many.replies()) {
                sum += size(reply);
            }
            return sum;
        }
        return FRAME_BYTES;
    }

    private static long size(RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            return (long) FRAME_BYTES + result.value().length();
        }
        if (!(reply instanceof RpcReply.Failure failure)) {
            // The bytes of a stream are counted where they arrive.
            return FRAME_BYTES;
        }
        RpcError error = failure.error();
        int dataBytes = error.data() == null ? 0 : error.data().length();
        return (long) FRAME_BYTES + error.message().length() + dataBytes;
    }
}
