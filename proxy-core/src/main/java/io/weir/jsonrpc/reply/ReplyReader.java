package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.reply.MalformedReplyException.Reason;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reader of nodes' answers. It is strict about the extent of a result and its being one value, and lenient otherwise.
 * Thread-safe.
 *
 * <p>Members may have any order, unknown members and {@code jsonrpc} are ignored. One of {@code result} and {@code
 * error} may be {@code null} beside the other, as in JSON-RPC 1.0.
 */
public final class ReplyReader {

    /**
     * Reads the answer to one call. Id, result and data are slices of the array, which the caller must not modify
     * afterwards.
     */
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
     * Reads the answer to a batch in the node's order, also as slices of the array. A malformed element affects only
     * itself, as long as it is JSON.
     *
     * @param max maximum number of elements
     */
    public BatchReply readBatch(byte[] body, int offset, int length, int max) throws MalformedReplyException {
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
                if (replies.size() + malformed.size() == max) {
                    throw new MalformedReplyException(Reason.TOO_MANY, "more than " + max + " answers", null);
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
