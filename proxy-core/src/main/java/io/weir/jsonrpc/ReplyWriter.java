package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.ByteSink;
import io.weir.jsonrpc.text.JsonString;
import java.util.List;

/**
 * Writer of the answers to clients. Thread-safe.
 *
 * <p>It computes lengths exactly and beforehand, so that a header can name them and one buffer suffices. A result
 * reaches the sink as one range of the array in which it arrived.
 */
public final class ReplyWriter {

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

    /** Returns the number of bytes that {@link #write(RpcResponse, ByteSink)} writes. */
    public long length(RpcResponse response) {
        return length(response.id(), response.reply());
    }

    /** Returns the number of bytes that {@link #write(RawJson, RpcReply, ByteSink)} writes. */
    public long length(RawJson id, RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            // Computed without a counter, because nearly every answer is one result.
            return ENVELOPE + (long) id.length() + result.value().length();
        }
        Counter counter = new Counter();
        write(id, reply, counter);
        return counter.count;
    }

    /** Writes one response object. */
    public void write(RpcResponse response, ByteSink sink) {
        write(response.id(), response.reply(), sink);
    }

    /** Writes the response object of a reply with an id. */
    public void write(RawJson id, RpcReply reply, ByteSink sink) {
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

    /** Returns the number of bytes that {@link #writeBeforeResult} writes. */
    public int lengthBeforeResult(RawJson id) {
        return HEAD.length + id.length() + RESULT.length;
    }

    /** Writes the response object of a result up to the result. Behind it comes {@link #AFTER_RESULT}. */
    public void writeBeforeResult(RawJson id, ByteSink sink) {
        write(HEAD, sink);
        write(id, sink);
        write(RESULT, sink);
    }

    /** Returns the number of bytes that {@link #writeBatch} writes. */
    public long batchLength(List<RpcResponse> responses) {
        Counter counter = new Counter();
        writeBatch(responses, counter);
        return counter.count;
    }

    /** Writes an array of response objects. Callers must not pass an empty list: an empty array answers no request. */
    public void writeBatch(List<RpcResponse> responses, ByteSink sink) {
        byte[] separator = OPEN_ARRAY;
        for (RpcResponse response : responses) {
            write(separator, sink);
            write(response, sink);
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
