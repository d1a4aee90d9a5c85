package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.MalformedReplyException.Reason;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads one object of a node's answer, once. Confined to one thread. */
final class ReplyElement {

    private final byte[] text;
    private final JsonScanner scanner;

    private @Nullable RawJson id;
    private @Nullable RawJson result;
    private @Nullable RawJson error;
    private @Nullable RpcError failure;

    private @Nullable RawJson code;
    private @Nullable RawJson message;
    private @Nullable RawJson data;

    ReplyElement(byte[] text, JsonScanner scanner) {
        this.text = text;
        this.scanner = scanner;
    }

    /** Reads the object at whose bracket the scanner stands. */
    NodeReply read() throws JsonSyntaxException, MalformedReplyException {
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            envelopeMember(name());
            more = scanner.nextEntry();
        }
        return new NodeReply(id == null ? RawJson.NULL : id, reply());
    }

    /** Passes a name and the colon, up to the first byte of the value. */
    private EnvelopeMember name() throws JsonSyntaxException {
        scanner.peek();
        int start = scanner.position() + 1;
        scanner.name();
        int end = scanner.position() - 1;
        boolean escaped = scanner.escaped();
        scanner.colon();
        scanner.peek();
        if (escaped) {
            byte[] name = JsonString.unescape(text, start, end).getBytes(UTF_8);
            return EnvelopeMember.named(name, 0, name.length);
        }
        return EnvelopeMember.named(text, start, end);
    }

    private void envelopeMember(EnvelopeMember member) throws JsonSyntaxException, MalformedReplyException {
        switch (member) {
            case ID -> {
                id = once("id", id, value());
                if (id.first() == '{' || id.first() == '[' || id.first() == 't' || id.first() == 'f') {
                    throw problem(Reason.BAD_ID, "id: no string, number or null");
                }
            }
            case RESULT -> result = once("result", result, value());
            case ERROR -> error();
            default -> scanner.skip();
        }
    }

    private void error() throws JsonSyntaxException, MalformedReplyException {
        if (scanner.peek() != '{') {
            error = once("error", error, value());
            return;
        }
        int start = scanner.position();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            errorMember(name());
            more = scanner.nextEntry();
        }
        error = once("error", error, slice(start));
        failure = failure();
    }

    private void errorMember(EnvelopeMember member) throws JsonSyntaxException, MalformedReplyException {
        switch (member) {
            case CODE -> code = once("error.code", code, value());
            case MESSAGE -> message = once("error.message", message, value());
            case DATA -> data = once("error.data", data, value());
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

    private int integer(RawJson number) throws MalformedReplyException {
        try {
            return Integer.parseInt(number.toString());
        } catch (NumberFormatException e) {
            throw problem(Reason.BAD_ERROR, "error.code: no integer of 32 bits");
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
        return new MalformedReplyException(reason, "byte " + scanner.offset() + ": " + problem);
    }
}
