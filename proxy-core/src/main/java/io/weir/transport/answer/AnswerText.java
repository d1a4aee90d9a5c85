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

/** The text of an answer: one response object, or an array of them. Immutable. */
public final class AnswerText {

    /** Maximum content of one buffer beside the head of a message. */
    private static final long MAX_LENGTH = Integer.MAX_VALUE - (1 << 16);

    /** Minimum size in bytes of a large text. From here on, copying costs more than sending it in pieces. */
    private static final int LARGE = 1 << 18;

    /** Minimum mean size in bytes of a response in a text with few pieces. */
    private static final int COARSE = 1 << 14;

    private static final ReplyWriter WRITER = new ReplyWriter();

    private final RawJson id;

    /** Null if the text is an array. */
    private final @Nullable RpcReply reply;

    private final List<RpcResponse> array;
    private final int length;

    private AnswerText(RawJson id, @Nullable RpcReply reply, List<RpcResponse> array, int length) {
        this.id = id;
        this.reply = reply;
        this.array = array;
        this.length = length;
    }

    /** Returns the text of an answer for HTTP clients, or null if it has none. */
    public static @Nullable AnswerText of(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            return one(one.id(), one.reply());
        }
        if (answer instanceof RequestAnswer.Many many) {
            return many(many);
        }
        return answer instanceof RequestAnswer.Refused refused && !refused.ids().isEmpty() ? rejected(refused) : null;
    }

    /** Returns the text of an answer for WebSocket clients, which get one for each id, or null if it has none. */
    public static @Nullable AnswerText ofMessage(RequestAnswer answer) {
        return answer instanceof RequestAnswer.Refused refused && !refused.ids().isEmpty()
                ? rejectedEach(refused)
                : of(answer);
    }

    /** Returns the text of one object. */
    public static AnswerText one(RawJson id, RpcReply reply) {
        long length = WRITER.length(id, reply);
        return length <= MAX_LENGTH ? new AnswerText(id, reply, List.of(), (int) length) : tooLong(id, length);
    }

    /** Returns an array in the order of the calls. */
    public static AnswerText many(RequestAnswer.Many many) {
        List<RpcResponse> responses = new ArrayList<>(many.ids().size());
        for (int i = 0; i < many.ids().size(); i++) {
            responses.add(new RpcResponse(many.ids().get(i), many.replies().get(i)));
        }
        return array(responses);
    }

    /** Returns one object for a rejected body, with its id if there is exactly one. */
    public static AnswerText rejected(RequestAnswer.Refused refused) {
        return one(refused.ids().size() == 1 ? refused.ids().get(0) : RawJson.NULL, refused.failure());
    }

    /** Returns objects for a rejected body, one for each id. There must be at least one. */
    public static AnswerText rejectedEach(RequestAnswer.Refused refused) {
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

    /** Returns the number of bytes that {@link #writeTo} writes. */
    public int length() {
        return length;
    }

    /** Returns whether the text is long and has few pieces. */
    boolean isLarge() {
        return length >= LARGE && length / COARSE >= array.size();
    }

    /** Writes the text to a buffer, which remains the caller's. */
    public void writeTo(ByteBuf out) {
        writeTo(out::writeBytes);
    }

    /** Writes the text to a sink in pieces, which nobody modifies any more. */
    public void writeTo(ByteSink sink) {
        if (reply == null) {
            WRITER.writeBatch(array, sink);
        } else {
            WRITER.write(id, reply, sink);
        }
    }
}
