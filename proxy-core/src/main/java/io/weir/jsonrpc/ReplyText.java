package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.JsonString;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of an answer to a client: one response object, or an array of them. Immutable.
 *
 * <p>It computes its length exactly and beforehand, so that a header can name it and one buffer suffices. A result
 * reaches the sink as one range of the array in which it arrived.
 */
public final class ReplyText {

    private static final byte[] HEAD = ascii("{\"jsonrpc\":\"2.0\",\"id\":");
    private static final byte[] RESULT = ascii(",\"result\":");
    private static final byte[] ERROR_CODE = ascii(",\"error\":{\"code\":");
    private static final byte[] MESSAGE = ascii(",\"message\":");
    private static final byte[] DATA = ascii(",\"data\":");
    private static final byte[] OPEN_ARRAY = ascii("[");
    private static final byte[] COMMA = ascii(",");
    private static final byte[] CLOSE_ARRAY = ascii("]");
    private static final byte[] CLOSE_OBJECT = ascii("}");

    /** The byte behind a result. */
    public static final byte AFTER_RESULT = '}';

    /** Bytes around the id and the value of a result. */
    private static final int ENVELOPE = HEAD.length + RESULT.length + CLOSE_OBJECT.length;

    /** Maximum content of one buffer beside the head of a message. */
    private static final long MAX_LENGTH = Integer.MAX_VALUE - (1 << 16);

    /** Minimum size in bytes of a large text. From here on, copying costs more than sending it in pieces. */
    private static final int LARGE = 1 << 18;

    /** Minimum mean size in bytes of a response in a text with few pieces. */
    private static final int COARSE = 1 << 14;

    private final RawJson id;

    /** Null if the text is an array. */
    private final @Nullable RpcReply reply;

    private final List<RawJson> ids;
    private final List<RpcReply> replies;
    private final int length;

    private ReplyText(RawJson id, @Nullable RpcReply reply, List<RawJson> ids, List<RpcReply> replies, int length) {
        this.id = id;
        this.reply = reply;
        this.ids = ids;
        this.replies = replies;
        this.length = length;
    }

    public static ReplyText one(RawJson id, RpcReply reply) {
        long length = length(id, reply);
        return length <= MAX_LENGTH
                ? new ReplyText(id, reply, List.of(), List.of(), (int) length)
                : tooLong(id, length);
    }

    /**
     * Returns an array in the order of the calls; an id and its reply have the same index. Callers must not pass empty lists: an empty
     * array answers no request.
     */
    public static ReplyText array(List<RawJson> ids, List<RpcReply> replies) {
        Counter counter = new Counter();
        writeArray(ids, replies, counter);
        return counter.count <= MAX_LENGTH
                ? new ReplyText(RawJson.NULL, null, ids, replies, (int) counter.count)
                : tooLong(RawJson.NULL, counter.count);
    }

    private static ReplyText tooLong(RawJson id, long length) {
        return one(
                id,
                RpcReply.failure(ErrorCode.INVALID_REQUEST.error(
                        "answer: " + length + " bytes (expected: at most " + MAX_LENGTH + ")")));
    }

    /** Returns the text of an object up to its result. Behind the result comes {@link #AFTER_RESULT}. */
    public static byte[] beforeResult(RawJson id) {
        ByteBuffer text = ByteBuffer.allocate(HEAD.length + id.length() + RESULT.length);
        return text.put(HEAD)
                .put(id.array(), id.offset(), id.length())
                .put(RESULT)
                .array();
    }

    /** The receiver of written JSON, piece by piece. Confined to the writing thread. */
    @FunctionalInterface
    public interface ByteSink {

        /**
         * Accepts the next bytes. Nobody modifies the array any more, and the sink must not either. The sink may keep the
         * range instead of copying it.
         */
        void write(byte[] array, int offset, int length);
    }

    /** Returns the number of bytes that {@link #writeTo} writes. */
    public int length() {
        return length;
    }

    /** Returns whether the text is long and has few pieces. */
    public boolean isLarge() {
        return length >= LARGE && length / COARSE >= ids.size();
    }

    /** Writes the text to a sink in pieces, which nobody modifies any more. */
    public void writeTo(ByteSink sink) {
        if (reply == null) {
            writeArray(ids, replies, sink);
        } else {
            write(id, reply, sink);
        }
    }

    private static long length(RawJson id, RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            // Computed without a counter, because nearly every answer is one result.
            return ENVELOPE + (long) id.length() + result.value().length();
        }
        Counter counter = new Counter();
        write(id, reply, counter);
        return counter.count;
    }

    private static void write(RawJson id, RpcReply reply, ByteSink sink) {
        write(HEAD, sink);
        write(id, sink);
        if (reply instanceof RpcReply.Failure failure) {
            write(failure.error(), sink);
        } else if (reply instanceof RpcReply.Result result) {
            write(RESULT, sink);
            write(result.value(), sink);
        }
        write(CLOSE_OBJECT, sink);
    }

    private static void writeArray(List<RawJson> ids, List<RpcReply> replies, ByteSink sink) {
        byte[] separator = OPEN_ARRAY;
        for (int i = 0; i < ids.size(); i++) {
            write(separator, sink);
            write(ids.get(i), replies.get(i), sink);
            separator = COMMA;
        }
        write(CLOSE_ARRAY, sink);
    }

    private static void write(RpcError error, ByteSink sink) {
        write(ERROR_CODE, sink);
        write(ascii(Integer.toString(error.code())), sink);
        write(MESSAGE, sink);
        write(JsonString.quote(error.message()), sink);
        RawJson data = error.data();
        if (data != null) {
            write(DATA, sink);
            write(data, sink);
        }
        write(CLOSE_OBJECT, sink);
    }

    private static void write(byte[] text, ByteSink sink) {
        sink.write(text, 0, text.length);
    }

    private static void write(RawJson json, ByteSink sink) {
        sink.write(json.array(), json.offset(), json.length());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /** A sink that only counts, so that a computed length always equals the written length. Confined to one thread. */
    private static final class Counter implements ByteSink {
        private long count;

        @Override
        public void write(byte[] array, int offset, int length) {
            count += length;
        }
    }
}
