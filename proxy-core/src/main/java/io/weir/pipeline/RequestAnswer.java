package io.weir.pipeline;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a whole request body is answered with. Immutable. */
public sealed interface RequestAnswer
        permits RequestAnswer.Nothing, RequestAnswer.One, RequestAnswer.Many, RequestAnswer.Refused {

    /** Only notifications were sent: no body. */
    record Nothing() implements RequestAnswer {}

    /**
     * One object.
     *
     * @param context the call's, or null where the body was no call
     */
    record One(RawJson id, RpcReply reply, @Nullable CallContext context) implements RequestAnswer {}

    /** An array, in the order asked; ids and replies stand at the same places. */
    record Many(List<RawJson> ids, List<RpcReply> replies) implements RequestAnswer {}

    /**
     * The body was refused whole before any of its calls began. Over HTTP one object, under the id where there is only
     * one; over WebSocket one object for each id.
     *
     * @param ids of those elements that wait for an answer
     * @param batch whether the body was a batch
     */
    record Refused(List<RawJson> ids, RpcReply.Failure failure, boolean batch) implements RequestAnswer {}
}
