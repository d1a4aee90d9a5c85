package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException.Reason;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reader of nodes' answers. It is strict about the extent of a result and its being one value, and lenient otherwise. The
 * static methods are pure and thread-safe. An instance reads one object of an answer and is confined to one thread.
 *
 * <p>Members may have any order, unknown members and {@code jsonrpc} are ignored. One of {@code result} and {@code
 * error} may be {@code null} beside the other, as in JSON-RPC 1.0.
 */
public final class ReplyReader {

    /**
     * A node's answer, with the id that the node gave it. Immutable.
     *
     * @param id the id as the node wrote it, but a number without quotes; {@code null} also if absent, as nodes do on errors
     */
    public record NodeReply(RawJson id, RpcReply reply) {}

    /**
     * A node's answer to a batch. Immutable.
     *
     * @param isArray false for a single object, with which nodes reject a batch as a whole
     * @param replies the well-formed replies, in the node's order
     * @param malformed the problems of the other replies
     */
    public record BatchReply(boolean isArray, List<NodeReply> replies, List<MalformedReplyException> malformed) {
        public BatchReply {
            replies = List.copyOf(replies);
            malformed = List.copyOf(malformed);
        }
    }

    private static final NameTable MEMBERS = NameTable.of(List.of("jsonrpc", "id", "result", "error"));
    private static final NameTable ERROR_MEMBERS = NameTable.of(List.of("code", "message", "data"));

    /**
     * Replaces a code that is not a 32-bit integer. It is the first of the codes that JSON-RPC reserves for servers.
     */
    private static final int OTHER_CODE = -32000;

    private static final int MAX_CODE_CHARS = 64;

    private static final byte[] NO_TEXT = {};

    /** One reader for each thread, because an answer is read without interruption. It holds no text between two answers. */
    private static final ThreadLocal<ReplyReader> READERS = ThreadLocal.withInitial(ReplyReader::new);

    private final JsonScanner scanner = JsonScanner.delimiters(NO_TEXT, 0, 0);
    private byte[] text = NO_TEXT;

    private @Nullable RawJson id;
    private @Nullable RawJson result;
    private @Nullable RawJson error;
    private @Nullable RpcError failure;

    private @Nullable RawJson code;
    private @Nullable RawJson message;
    private @Nullable RawJson data;
    private @Nullable MalformedReplyException first;

    private ReplyReader() {}

    private void begin(byte[] body, int offset, int length) {
        text = body;
        scanner.begin(body, offset, length);
    }

    private void clear() {
        id = null;
        result = null;
        error = null;
        failure = null;
        code = null;
        message = null;
        data = null;
        first = null;
    }

    /**
     * Reads the answer to one call. Id, result and data are slices of the array, which the caller must not modify
     * afterwards.
     */
    public static NodeReply read(byte[] body, int offset, int length) throws MalformedReplyException {
        ReplyReader reader = READERS.get();
        reader.begin(body, offset, length);
        try {
            NodeReply reply = reader.element();
            reader.scanner.end();
            return reply;
        } catch (JsonSyntaxException e) {
            throw malformed(e);
        } finally {
            reader.begin(NO_TEXT, 0, 0);
        }
    }

    /**
     * Reads the answer to a batch in the node's order, also as slices of the array. A malformed element affects only
     * itself, as long as it is JSON.
     *
     * @param max maximum number of elements
     */
    public static BatchReply readBatch(byte[] body, int offset, int length, int max) throws MalformedReplyException {
        ReplyReader reader = new ReplyReader();
        reader.begin(body, offset, length);
        JsonScanner scanner = reader.scanner;
        try {
            if (scanner.peek() != '[') {
                return new BatchReply(false, List.of(read(body, offset, length)), List.of());
            }
            List<NodeReply> replies = new ArrayList<>();
            List<MalformedReplyException> malformed = new ArrayList<>();
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                if (replies.size() + malformed.size() == max) {
                    throw new MalformedReplyException(Reason.TOO_MANY, "more than " + max + " answers", null);
                }
                try {
                    replies.add(reader.element());
                } catch (MalformedReplyException e) {
                    malformed.add(e);
                }
                more = scanner.nextEntry();
            }
            scanner.end();
            return new BatchReply(true, replies, malformed);
        } catch (JsonSyntaxException e) {
            throw malformed(e);
        }
    }

    private NodeReply element() throws JsonSyntaxException, MalformedReplyException {
        int next = scanner.peek();
        int offset = scanner.offset();
        if (next != '{') {
            scanner.skip();
            throw new MalformedReplyException(Reason.NOT_AN_OBJECT, "byte " + offset + ": no object", null);
        }
        try {
            return object();
        } finally {
            clear();
        }
    }

    private static MalformedReplyException malformed(JsonSyntaxException e) {
        Reason reason = switch (e.kind()) {
            case UNEXPECTED_BYTE -> Reason.NOT_JSON;
            case TRUNCATED -> Reason.TRUNCATED;
            case TOO_DEEP -> Reason.TOO_DEEP;
            case TRAILING_BYTES -> Reason.TRAILING_BYTES;
        };
        return new MalformedReplyException(reason, e.getMessage(), null);
    }

    /**
     * Reads the object at whose opening bracket the scanner stands. Reads to its end even if it is malformed, because
     * other elements of a batch may follow.
     */
    private NodeReply object() throws JsonSyntaxException, MalformedReplyException {
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            try {
                envelopeMember(scanner.member(MEMBERS));
            } catch (MalformedReplyException e) {
                first = first == null ? e : first;
            }
            more = scanner.nextEntry();
        }
        if (first != null) {
            throw first.under(id);
        }
        return new NodeReply(id == null ? RawJson.NULL : id, reply());
    }

    private void envelopeMember(String member) throws JsonSyntaxException, MalformedReplyException {
        switch (member) {
            case "id" -> {
                id = once("id", id, unquoted(value()));
                if (id.first() == '{' || id.first() == '[' || id.first() == 't' || id.first() == 'f') {
                    throw problem(Reason.BAD_ID, "id: no string, number or null");
                }
            }
            case "result" -> result = once("result", result, value());
            case "error" -> error();
            default -> scanner.skip();
        }
    }

    /** Returns a number without the quotes in which some nodes put every id. */
    private RawJson unquoted(RawJson value) {
        if (value.first() != '"' || value.length() == 2) {
            return value;
        }
        for (int at = value.offset() + 1; at < value.offset() + value.length() - 1; at++) {
            if (text[at] < '0' || text[at] > '9') {
                return value;
            }
        }
        return RawJson.slice(text, value.offset() + 1, value.length() - 2);
    }

    private void error() throws JsonSyntaxException, MalformedReplyException {
        if (scanner.peek() != '{') {
            error = once("error", error, value());
            return;
        }
        int start = scanner.position();
        scanner.open();
        boolean more = scanner.firstEntry();
        MalformedReplyException inside = null;
        while (more) {
            try {
                errorMember(scanner.member(ERROR_MEMBERS));
            } catch (MalformedReplyException e) {
                inside = inside == null ? e : inside;
            }
            more = scanner.nextEntry();
        }
        if (inside != null) {
            throw inside;
        }
        error = once("error", error, slice(start));
        failure = failure();
    }

    private void errorMember(String member) throws JsonSyntaxException, MalformedReplyException {
        switch (member) {
            case "code" -> code = once("error.code", code, value());
            case "message" -> message = once("error.message", message, value());
            case "data" -> data = once("error.data", data, value());
            default -> scanner.skip();
        }
    }

    private RpcError failure() throws MalformedReplyException {
        if (code == null) {
            throw problem(Reason.BAD_ERROR, "error.code: missing");
        }
        if (message != null && message.first() != '"') {
            throw problem(Reason.BAD_ERROR, "error.message: no string");
        }
        String text = message == null
                ? ""
                : JsonString.unescape(message.array(), message.offset() + 1, message.offset() + message.length() - 1);
        return new RpcError(integer(code), text, data);
    }

    /** Returns the code of any form of number. An answer with an odd code is still the node's answer, not a fault. */
    private int integer(RawJson number) throws MalformedReplyException {
        if (number.first() != '-' && (number.first() < '0' || number.first() > '9')) {
            throw problem(Reason.BAD_ERROR, "error.code: no number");
        }
        if (number.length() > MAX_CODE_CHARS) {
            return OTHER_CODE;
        }
        try {
            return new BigDecimal(number.toString()).intValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            // A fraction, a number beyond 32 bits, or a huge exponent.
            return OTHER_CODE;
        }
    }

    private RpcReply reply() throws MalformedReplyException {
        if (error != null && error.first() != 'n') {
            if (result != null && result.first() != 'n') {
                throw problem(Reason.BOTH_RESULT_AND_ERROR, "both a result and an error");
            }
            if (failure == null) {
                throw problem(Reason.BAD_ERROR, "error: no object");
            }
            return RpcReply.failure(failure);
        }
        if (result == null) {
            throw problem(Reason.NEITHER_RESULT_NOR_ERROR, "neither a result nor an error");
        }
        return new RpcReply.Result(result);
    }

    private RawJson value() throws JsonSyntaxException {
        int start = scanner.position();
        scanner.skip();
        return slice(start);
    }

    private RawJson slice(int start) {
        return RawJson.slice(text, start, scanner.position() - start);
    }

    private RawJson once(String name, @Nullable RawJson before, RawJson value) throws MalformedReplyException {
        if (before != null) {
            throw problem(Reason.DUPLICATE_MEMBER, name + ": two of it");
        }
        return value;
    }

    private MalformedReplyException problem(Reason reason, String problem) {
        return new MalformedReplyException(reason, "byte " + scanner.offset() + ": " + problem, id);
    }
}
