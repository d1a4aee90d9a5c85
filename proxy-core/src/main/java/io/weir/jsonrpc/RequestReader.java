package io.weir.jsonrpc;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Strict reader of the bodies that clients send. Thread-safe.
 *
 * <p>A body is one JSON text of RFC 8259 in UTF-8 without a byte order mark, nested at most 64 deep. Any other body
 * becomes one {@link RequestItem.Invalid}. Escapes of unpaired surrogates are JSON: they pass byte for byte in ids and
 * parameters, but not in method names.
 */
public final class RequestReader {

    private final int maxBatch;

    /** One reader for each thread, because a body is read without interruption. */
    @SuppressWarnings("ThreadLocalUsage") // Belongs to this reader alone.
    private final ThreadLocal<CallReader> readers;

    /**
     * Creates a reader.
     *
     * @param maxBatch elements of a batch
     * @param methods known names, for which the reader creates no strings: calls carry the table's instance
     */
    public RequestReader(int maxBatch, NameTable methods) {
        this.maxBatch = maxBatch;
        this.readers = ThreadLocal.withInitial(() -> new CallReader(methods));
    }

    /**
     * Reads a body. Its ids and parameters are slices of the array, which the caller must not modify afterwards. Never
     * throws because of the content.
     */
    public RequestBody read(byte[] body, int offset, int length) {
        CallReader reader = readers.get();
        JsonScanner scanner = reader.begin(body, offset, length);
        try {
            RequestBody requests = scanner.peek() == '[' ? batch(reader, scanner) : reader.read();
            scanner.end();
            return requests;
        } catch (JsonSyntaxException e) {
            return invalid(
                    e.kind() == JsonSyntaxException.Kind.TOO_DEEP ? ErrorCode.INVALID_REQUEST : ErrorCode.PARSE_ERROR,
                    e.getMessage());
        } finally {
            reader.end();
        }
    }

    private RequestBody batch(CallReader reader, JsonScanner scanner) throws JsonSyntaxException {
        scanner.open();
        if (!scanner.firstEntry()) {
            return invalid(ErrorCode.INVALID_REQUEST, "batch: no elements (expected: at least 1)");
        }
        List<RequestItem> items = new ArrayList<>();
        int count = 0;
        do {
            if (count++ < maxBatch) {
                items.add(reader.read());
            } else {
                scanner.skip();
            }
        } while (scanner.nextEntry());
        if (count > maxBatch) {
            return invalid(
                    ErrorCode.INVALID_REQUEST, "batch: " + count + " elements (expected: at most " + maxBatch + ")");
        }
        return new RequestBody.Batch(items);
    }

    private static RequestBody invalid(ErrorCode code, String problem) {
        RpcError error = code.error(code.error().message() + ": " + problem);
        return new RequestItem.Invalid(RawJson.NULL, error);
    }
}
