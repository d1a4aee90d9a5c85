package io.weir.transport.http;

import io.weir.framing.BodyBuffer;
import io.weir.network.Generation;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.Admission;
import io.weir.transport.request.Rejection;
import io.weir.transport.request.RequestSource;
import io.weir.transport.request.RequestTarget;
import org.jspecify.annotations.Nullable;

/** The events that handlers derive from the HTTP requests of a connection, in the order of arrival. Immutable. */
public sealed interface ClientRequest {

    /**
     * A body to run. Immutable.
     *
     * @param body given up by the sender
     * @param source of the request, or null if unknown
     */
    record Calls(
            BodyBuffer body,
            Admission.Granted granted,
            AnswerStyle style,
            @Nullable RequestSource source) implements ClientRequest {}

    /** The start of a request that is logged. Its result comes next. Immutable. */
    record Begun(AccessLogEntry entry) implements ClientRequest {}

    /** A rejected request. Immutable. */
    record Rejected(Rejection rejection, AnswerStyle style) implements ClientRequest {}

    /** The end of input within a rejected request. Immutable. */
    record CutOff() implements ClientRequest {}

    /** A browser's permitted question whether a page may send calls. Immutable. */
    record Preflight(AnswerStyle style) implements ClientRequest {}

    /** A balancer's question whether the proxy should get requests. Immutable. */
    record HealthCheck(AnswerStyle style) implements ClientRequest {}

    /** A client that waits for permission to send the body of the next {@link Calls}. Immutable. */
    record ContinueExpected() implements ClientRequest {}

    /**
     * A valid handshake for a WebSocket. Immutable.
     *
     * @param accept the value that proves that the handshake was understood
     * @param generation the generation that admitted it
     * @param source of the request
     */
    record Handshake(
            String accept, Generation generation, Admission.Granted granted, RequestTarget target, RequestSource source)
            implements ClientRequest {}
}
