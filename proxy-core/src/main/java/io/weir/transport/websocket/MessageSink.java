package io.weir.transport.websocket;

import io.weir.limit.Reservation;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.SessionRequest;
import io.weir.tracing.TraceHeaders;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.RequestSource;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receiver of the answer to one message of a WebSocket. Confined to its event loop. */
abstract class MessageSink implements AnswerSink, SessionRequest {

    private final Reservation reservation;
    private final @Nullable AccessLogEntry entry;
    private final SessionMessages messages;
    private final RequestSource source;
    private @Nullable List<Runnable> afterAnswer;
    private @Nullable List<Runnable> whenLeft;
    private final Runnable closed = this::clientLeft;
    private boolean answered;

    /** @param entry records the answer, or null if the access log is off */
    MessageSink(
            Reservation reservation, @Nullable AccessLogEntry entry, SessionMessages messages, RequestSource source) {
        this.source = source;
        this.entry = entry;
        this.reservation = reservation;
        this.messages = messages;
    }

    /** Returns what counts the bytes of the message and its answer. */
    final Reservation reservation() {
        return reservation;
    }

    /** Returns the log entry of the message; null if the access log is off. */
    final @Nullable AccessLogEntry entry() {
        return entry;
    }

    /** Writes the answer. */
    abstract void write(RequestAnswer answer);

    @Override
    public final void accept(RequestAnswer answer) {
        answered = true;
        if (whenLeft != null) {
            whenLeft = null;
            messages.forget(closed);
        }
        write(answer);
        List<Runnable> actions = afterAnswer;
        afterAnswer = null;
        if (actions != null && messages.isOpen()) {
            actions.forEach(Runnable::run);
        }
    }

    @Override
    public final boolean isGone() {
        return !messages.isOpen();
    }

    @Override
    public final boolean takesStream() {
        return canStream();
    }

    /** Returns whether the answer can be sent now while it arrives. */
    abstract boolean canStream();

    @Override
    public final void whenClientLeaves(Runnable action) {
        if (answered) {
            return;
        }
        if (whenLeft == null) {
            whenLeft = new ArrayList<>(1);
            whenLeft.add(action);
            messages.whenClosed(closed);
        } else {
            whenLeft.add(action);
        }
    }

    private void clientLeft() {
        List<Runnable> actions = whenLeft;
        whenLeft = null;
        if (actions != null) {
            actions.forEach(Runnable::run);
        }
    }

    @Override
    public final @Nullable InetAddress clientAddress() {
        return source.client();
    }

    @Override
    public final @Nullable TraceHeaders traceHeaders() {
        return source.trace();
    }

    @Override
    public final SessionRequest sessionRequest() {
        return this;
    }

    @Override
    public final ClientSession session() {
        return messages;
    }

    @Override
    public final void afterAnswer(Runnable action) {
        if (afterAnswer == null) {
            afterAnswer = new ArrayList<>(1);
        }
        afterAnswer.add(action);
    }
}
