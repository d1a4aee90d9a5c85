package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.reply.MalformedReplyException.Reason;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what nodes answer: sure of where a result begins and ends and that it is one value, easy on the rest. Thread-safe.
 *
 * <p>Members may come in any order, unknown ones are passed over, {@code jsonrpc} is not looked at, and one of {@code result}
 * and {@code error} may be {@code null} beside the other, as JSON-RPC 1.0 had it.
 */
public final class ReplyReader {

    /** Reads the answer to one call, from an array that the caller gives up: id, result and data are slices of it. */
    public NodeReply read(byte[] body, int offset, int length) throws MalformedReplyException {
        JsonScanner scanner = JsonScanner.delimiters(body, offset, length);
        try {
            NodeReply reply = element(body, scanner);
            scanner.end();
            return reply;
        } catch (JsonSyntaxException e) {
            throw malformed(e);
        }
    }

    /**
     * Reads the answer to a batch, likewise, in the order in which the node wrote it. An element that is malformed stands for
     * itself alone, as long as it is JSON.
     *
     * @param most elements that there may be
     */
    public BatchReply readBatch(byte[] body, int offset, int length, int most) throws MalformedReplyException {
        JsonScanner scanner = JsonScanner.delimiters(body, offset, length);
        try {
            if (scanner.peek() != '[') {
                return new BatchReply(false, List.of(read(body, offset, length)), List.of());
            }
            List<NodeReply> replies = new ArrayList<>();
            List<MalformedReplyException> malformed = new ArrayList<>();
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                if (replies.size() + malformed.size() == most) {
                    throw new MalformedReplyException(Reason.TOO_MANY, "more than " + most + " answers", null);
                }
                try {
                    replies.add(element(body, scanner));
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

    private static NodeReply element(byte[] body, JsonScanner scanner)
            throws JsonSyntaxException, MalformedReplyException {
        int first = scanner.peek();
        int offset = scanner.offset();
        if (first != '{') {
            scanner.skip();
            throw new MalformedReplyException(Reason.NOT_AN_OBJECT, "byte " + offset + ": no object", null);
        }
        return new ReplyElement(body, scanner).read();
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
}
