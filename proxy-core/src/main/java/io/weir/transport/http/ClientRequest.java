package io.weir.transport.http;

import io.weir.network.Generation;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.entry.Admission;
import io.weir.transport.entry.BodyBuffer;
import io.weir.transport.entry.Rejection;
import io.weir.transport.entry.RequestSource;
import io.weir.transport.entry.RequestTarget;
import io.weir.transport.log.AccessLogEntry;

/** What the handlers make of the HTTP requests of a connection, in the order that they came. Immutable. */
public sealed interface ClientRequest {

    /**
     * A body to run.
     *
     * @param body given up by the sender
     */
    record Calls(BodyBuffer body, Admission.Granted granted, AnswerStyle style) implements ClientRequest {}

    /** That a request has begun, of which notes are taken; what becomes of it comes next. */
    record Begun(AccessLogEntry note) implements ClientRequest {}

    /** A request that is turned away. */
    record Refused(Rejection refusal, AnswerStyle style) implements ClientRequest {}

    /** That the rest of a request that was turned away does not come. */
    record CutOff() implements ClientRequest {}

    /** A browser that asks whether a page may send calls, and may. */
    record Preflight(AnswerStyle style) implements ClientRequest {}

    /** A client that waits to be told to send the body of the {@link Calls} that come next. */
    record Expectant() implements ClientRequest {}

    /**
     * A valid handshake for a WebSocket.
     *
     * @param accept the value that proves that it was understood
     * @param generation that admitted it
     * @param source of the request
     */
    record Handshake(
            String accept, Generation generation, Admission.Granted granted, RequestTarget target, RequestSource source)
            implements ClientRequest {}
}
