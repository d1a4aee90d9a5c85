package io.weir.transport.answer;

import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.RequestAnswer;

/** The approximate size of answers that wait to be sent. */
public final class AnswerSize {

    /** Bytes around a result or an error. */
    private static final int FRAME_BYTES = 128;

    private AnswerSize() {}

    /** Returns the bytes of an answer. */
    public static long of(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            return of(one.reply());
        }
        if (answer instanceof RequestAnswer.Many many) {
            long sum = 0;
            for (RpcReply reply : many.replies()) {
                sum += of(reply);
            }
            return sum;
        }
        return FRAME_BYTES;
    }

    /** Returns the bytes of one reply. */
    static long of(RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            return (long) FRAME_BYTES + result.value().length();
        }
        RpcError error = ((RpcReply.Failure) reply).error();
        int dataBytes = error.data() == null ? 0 : error.data().length();
        return (long) FRAME_BYTES + error.message().length() + dataBytes;
    }
}
