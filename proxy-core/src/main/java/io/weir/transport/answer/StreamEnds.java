package io.weir.transport.answer;

import io.weir.jsonrpc.ReplyWriter;
import io.weir.pipeline.RequestAnswer;
import java.nio.ByteBuffer;

/**
 * The text around what goes on to the client while it arrives. Immutable; nobody modifies the arrays.
 *
 * @param before the text before it
 * @param after the text behind it
 */
public record StreamEnds(byte[] before, byte[] after) {

    private static final ReplyWriter WRITER = new ReplyWriter();
    private static final byte[] AFTER_RESULT = {ReplyWriter.AFTER_RESULT};

    /** Returns the text around the result of an answer. */
    public static StreamEnds of(RequestAnswer.One one) {
        ByteBuffer text = ByteBuffer.allocate(WRITER.lengthBeforeResult(one.id()));
        WRITER.writeBeforeResult(one.id(), text::put);
        return new StreamEnds(text.array(), AFTER_RESULT);
    }
}
