package io.weir.transport.entry;

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
 * The calls of one connection, within the bound on those that are in flight at once. A body that would be over it waits for
 * those before it, and nothing behind it is read meanwhile; one that is larger than the bound runs alone. Confined to its event
 * loop.
 */
public final class ConnectionCalls {

    private final RequestDispatcher gate;
    private final ReadPauseHandler pause;
    private final int most;
    private final EventLoop loop;
    private final Queue<Body> waiting = new ArrayDeque<>(1);
    private int inFlight;

    /** Begins with none. */
    public ConnectionCalls(ListenerContext door, ReadPauseHandler pause, EventLoop loop) {
        this.gate = door.calls();
        this.most = door.config().load().callsPerConnection();
        this.pause = pause;
        this.loop = loop;
    }

    /**
     * Runs a body, now or when there is room.
     *
     * @param body given up by the sender
     * @param note is told what is asked, where somebody wants to know
     * @param sink gets the answer once, on the loop
     */
    public void run(BodyBuffer body, Admission.Granted granted, @Nullable AccessLogEntry note, AnswerSink sink) {
        RequestBody read = gate.read(body);
        if (note != null) {
            note.asked(read.items());
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
        return inFlight == 0 || next.count <= most - inFlight;
    }

    private void goOn() {
        while (!waiting.isEmpty() && fits(waiting.element())) {
            waiting.remove().begin();
        }
        if (waiting.isEmpty()) {
            pause.resume(ReadPauseHandler.Cause.CALLS);
        }
    }

    /** Drops what waits, whose senders hear {@link RequestAnswer.Nothing}; what is under way goes on. */
    public void close() {
        for (Body body = waiting.poll(); body != null; body = waiting.poll()) {
            body.sink.accept(new RequestAnswer.Nothing());
        }
        pause.resume(ReadPauseHandler.Cause.CALLS);
    }

    /** A body on its way. */
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
            gate.run(read, granted, loop, this);
        }

        @Override
        public void keep(RpcReply reply) {
            sink.keep(reply);
        }

        @Override
        public void accept(RequestAnswer answer) {
            inFlight -= count;
            sink.accept(answer);
            goOn();
        }
    }
}
