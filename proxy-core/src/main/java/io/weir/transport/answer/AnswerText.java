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
    private static final long MAX_LENGTH = Integer.MAX_VALUE - (1 << 16);

    /** From here on a copy of all of it would cost more than to send it piece by piece. */
    private static final int LARGE = 1 << 18;

    /** What a response has in the mean at least where the pieces of a text are few. */
    private static final int COARSE = 1 << 14;

    private static final ReplyWriter WRITER = new ReplyWriter();

    private final RawJson id;

    /** Null where the text is an array. */
    private final @Nullable RpcReply reply;

    private final List<RpcResponse> array;
    private final int length;

    private AnswerText(RawJson id, @Nullable RpcReply reply, List<RpcResponse> array, int length) {
        this.id = id;
        this.reply = reply;
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
        long length = WRITER.length(id, reply);
        return length <= MAX_LENGTH ? new AnswerText(id, reply, List.of(), (int) length) : tooLong(id, length);
    }

    /** An array in the order asked. */
    public static AnswerText many(RequestAnswer.Many many) {
        List<RpcResponse> responses = new ArrayList<>(many.ids().size());
        for (int i = 0; i < many.ids().size(); i++) {
            responses.add(new RpcResponse(many.ids().get(i), many.replies().get(i)));
        }
        return array(responses);
    }

    /** A refused body's one object, under the id where there is only one. */
    public static AnswerText refused(RequestAnswer.Refused refused) {
        return one(refused.ids().size() == 1 ? refused.ids().get(0) : RawJson.NULL, refused.failure());
    }

    /** A refused body's objects, one for each id; there is at least one. */
    public static AnswerText refusedEach(RequestAnswer.Refused refused) {
        List<RpcResponse> responses = new ArrayList<>(refused.ids().size());
        refused.ids().forEach(id -> responses.add(new RpcResponse(id, refused.failure())));
        return refused.batch() ? array(responses) : one(responses.get(0).id(), refused.failure());
    }

    private static AnswerText array(List<RpcResponse> responses) {
        long length = WRITER.batchLength(responses);
        return length <= MAX_LENGTH
                ? new AnswerText(RawJson.NULL, null, responses, (int) length)
                : tooLong(RawJson.NULL, length);
    }

    private static AnswerText tooLong(RawJson id, long length) {
        return one(
                id,
                RpcReply.failure(ErrorCode.INVALID_REQUEST.error(
                        "answer: " + length + " bytes (expected: at most " + MAX_LENGTH + ")")));
    }

    /** How many bytes {@link #writeTo} adds. */
    public int length() {
        return length;
    }

    /** Whether it is long, and in few pieces. */
    boolean isLarge() {
        return length >= LARGE && length / COARSE >= array.size();
    }

    /** Adds the text to a buffer, which stays the caller's. */
    public void writeTo(ByteBuf out) {
        writeTo(out::writeBytes);
    }

    /** Gives the text away in pieces, which nobody writes to any more. */
    public void writeTo(ByteSink sink) {
        if (reply == null) {
            WRITER.writeBatch(array, sink);
        } else {
            WRITER.write(id, reply, sink);
        }
    }
}
