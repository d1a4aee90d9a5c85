package io.weir.transport.request;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.log.AccessLogEntry;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection, within the bound on its calls in flight. A body over the bound waits for earlier calls,
 * and reading pauses meanwhile. A body larger than the bound runs alone. Confined to its event loop.
 */
public final class ConnectionCalls {

    private final RequestDispatcher dispatcher;
    private final ReadPauseHandler pause;
    private final int max;
    private final EventLoop loop;
    private final Queue<Body> waiting = new ArrayDeque<>(1);
    private int inFlight;

    /** Begins without calls. */
    public ConnectionCalls(ListenerContext listener, ReadPauseHandler pause, EventLoop loop) {
        this.dispatcher = listener.dispatcher();
        this.max = listener.config().load().callsPerConnection();
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
        RequestBody read = dispatcher.read(body);
        if (entry != null) {
            entry.requested(read.items());
        }
        Body next = new Body(read, read.count(), granted, sink);
        if (waiting.isEmpty() && fits(next)) {
            next.begin();
        } else {
            waiting.add(next);
            pause.pause(ReadPauseHandler.Cause.CALLS);
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
            pause.resume(ReadPauseHandler.Cause.CALLS);
        }
    }

    /** Drops waiting bodies, whose senders get {@link RequestAnswer.Nothing}. Calls in flight continue. */
    public void close() {
        for (Body body = waiting.poll(); body != null; body = waiting.poll()) {
            body.sink.accept(new RequestAnswer.Nothing());
        }
        pause.resume(ReadPauseHandler.Cause.CALLS);
    }

    /** A body that waits or runs. Confined to its event loop. */
    private final class Body implements AnswerSink {

        private final RequestBody read;
        private final int count;
        private final Admission.Granted granted;
        private final AnswerSink sink;

        Body(RequestBody read, int count, Admission.Granted granted, AnswerSink sink) {
            this.read = read;
            this.count = count;
            this.granted = granted;
            this.sink = sink;
        }

        void begin() {
            inFlight += count;
            dispatcher.run(read, granted, loop, this);
        }

        @Override
        public void keep(RpcReply reply) {
            sink.keep(reply);
        }

        @Override
        public void accept(RequestAnswer answer) {
            inFlight -= count;
            sink.accept(answer);
            runWaiting();
        }
    }
}
