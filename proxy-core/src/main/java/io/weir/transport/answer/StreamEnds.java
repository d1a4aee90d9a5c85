package io.weir.transport.answer;

import io.weir.jsonrpc.ReplyText;
import io.weir.pipeline.RequestAnswer;

/**
 * The text around what goes on to the client while it arrives. Immutable; nobody modifies the arrays.
 *
 * @param before the text before it
 * @param after the text behind it
 */
public record StreamEnds(byte[] before, byte[] after) {

    private static final byte[] AFTER_RESULT = {ReplyText.AFTER_RESULT};

    /** Returns the text around the result of an answer. */
    public static StreamEnds of(RequestAnswer.One one) {
        return new StreamEnds(ReplyText.beforeResult(one.id()), AFTER_RESULT);
    }
}
