package io.weir.pipeline;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyText;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.ResultStream;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answer to a whole request body. Immutable. */
public sealed interface RequestAnswer
        permits RequestAnswer.Nothing, RequestAnswer.One, RequestAnswer.Many, RequestAnswer.Refused {

    /** Returns the text of the answer for HTTP clients; null if it has none. */
    default @Nullable ReplyText text() {
        return null;
    }

    /** Returns the text of the answer for WebSocket clients, which get one object for each id; null if it has none. */
    default @Nullable ReplyText messageText() {
        return text();
    }

    /** No body: the request held only notifications. */
    record Nothing() implements RequestAnswer {}

    /**
     * One object.
     *
     * @param context the call's, or null if the body was no call
     */
    record One(RawJson id, RpcReply reply, @Nullable CallContext context) implements RequestAnswer {

        @Override
        public ReplyText text() {
            return ReplyText.one(id, reply);
        }

        /** Returns the result that goes on to the client while it arrives; null if the answer is there whole. */
        public @Nullable ResultStream stream() {
            return reply instanceof ResultStream stream ? stream : null;
        }
    }

    /** An array in the order of the calls; an id and its reply have the same index. */
    record Many(List<RawJson> ids, List<RpcReply> replies) implements RequestAnswer {

        @Override
        public ReplyText text() {
            return ReplyText.array(ids, replies);
        }
    }

    /**
     * Refusal of the whole body before any of its calls began. Over HTTP it is one object, with the id if there is only one. Over
     * WebSocket it is one object for each id.
     *
     * @param ids of the elements that wait for an answer
     * @param batch whether the body was a batch
     */
    record Refused(List<RawJson> ids, RpcReply.Failure failure, boolean batch) implements RequestAnswer {

        @Override
        public @Nullable ReplyText text() {
            RawJson id = ids.size() == 1 ? ids.get(0) : RawJson.NULL;
            return ids.isEmpty() ? null : ReplyText.one(id, failure);
        }

        @Override
        public @Nullable ReplyText messageText() {
            return batch && !ids.isEmpty() ? ReplyText.array(ids, Collections.nCopies(ids.size(), failure)) : text();
        }
    }
}
