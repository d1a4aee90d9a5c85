package io.weir.transport.answer;

import io.netty.buffer.ByteBuf;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyWriter;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcResponse;
import io.weir.jsonrpc.text.ByteSink;
import io.weir.pipeline.RequestAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client reads: one response object, or an array of them. Immutable. */
public final class AnswerText {

    /** What one buffer can hold beside the head of a message. */
    private static final long LONGEST = Integer.MAX_VALUE - (1 << 16);

    private static final ReplyWriter WRITER = new ReplyWriter();

    private final List<RpcResponse> responses;
    private final boolean array;
    private final int length;

    private AnswerText(List<RpcResponse> responses, boolean array, int length) {
        this.responses = responses;
        this.array = array;
        this.length = length;
    }

    /** What HTTP clients read of an answer, or null where that is nothing. */
    public static @Nullable AnswerText of(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            return one(one.id(), one.reply());
        }
        if (answer instanceof RequestAnswer.Many many) {
            return many(many);
        }
        return answer instanceof RequestAnswer.Refused refused && !refused.ids().isEmpty() ? refused(refused) : null;
    }

    /** One object. */
    public static AnswerText one(RawJson id, RpcReply reply) {
        return of(List.of(new RpcResponse(id, reply)), false);
    }

    /** An array in the order asked. */
    public static AnswerText many(RequestAnswer.Many many) {
        List<RpcResponse> responses = new ArrayList<>(many.ids().size());
        for (int i = 0; i < many.ids().size(); i++) {
            responses.add(new RpcResponse(many.ids().get(i), many.replies().get(i)));
        }
        return of(responses, true);
    }

    /** A refused body's one object, under the id where there is only one. */
    public static AnswerText refused(RequestAnswer.Refused refused) {
        return one(refused.ids().size() == 1 ? refused.ids().get(0) : RawJson.NULL, refused.failure());
    }

    /** A refused body's objects, one for each id; there is at least one. */
    public static AnswerText refusedEach(RequestAnswer.Refused refused) {
        List<RpcResponse> responses = new ArrayList<>(refused.ids().size());
        refused.ids().forEach(id -> responses.add(new RpcResponse(id, refused.failure())));
        return of(responses, refused.batch());
    }

    private static AnswerText of(List<RpcResponse> responses, boolean array) {
        long length = array ? WRITER.batchLength(responses) : WRITER.length(responses.get(0));
        if (length <= LONGEST) {
            return new AnswerText(responses, array, (int) length);
        }
        return one(
                array ? RawJson.NULL : responses.get(0).id(),
                RpcReply.failure(ErrorCode.INVALID_REQUEST.error(
                        "answer: " + length + " bytes (expected: at most " + LONGEST + ")")));
    }

    /** How many bytes {@link #writeTo} adds. */
    public int length() {
        return length;
    }

    /** Adds the text to a buffer, which stays the caller's. */
    public void writeTo(ByteBuf out) {
        writeTo(out::writeBytes);
    }

    /** Gives the text away in pieces, which nobody writes to any more. */
    public void writeTo(ByteSink sink) {
        if (array) {
            WRITER.writeBatch(responses, sink);
        } else {
            WRITER.write(responses.get(0), sink);
        }
    }
}
