package io.weir.jsonrpc;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what clients send, strictly. Thread-safe.
 *
 * <p>A body is one JSON text of RFC 8259 in UTF-8 without a byte order mark, nested at most 64 deep; anything else becomes one
 * {@link InvalidRequest} in place of the whole body. Escapes of half a surrogate pair are JSON: they pass in ids and
 * parameters, byte for byte, but no method is named so.
 */
public final class RequestReader {

    private static final int MAX_METHOD_BYTES = 128;
    private static final int MAX_ID_BYTES = 1_024;

    private final int maxBatch;

    /** One for each thread: a body is read without a pause. */
    @SuppressWarnings("ThreadLocalUsage") // Of this reader alone.
    private final ThreadLocal<CallReader> readers;

    /**
     * How much a body may hold. Immutable.
     *
     * @param batch elements of a batch
     * @param methodBytes bytes of a method name, as it was written
     * @param idBytes bytes of an id, as it was written
     */
    public record Limits(int batch, int methodBytes, int idBytes) {}

    /**
     * Makes a reader.
     *
     * @param methods names that no strings are made for: every call of them carries the table's own
     */
    public RequestReader(Limits limits, NameTable methods) {
        this.maxBatch = limits.batch();
        this.readers = ThreadLocal.withInitial(() -> new CallReader(limits, methods));
    }

    /** Makes a reader with the default limits on method names and ids. */
    public RequestReader(int maxBatch, NameTable methods) {
        this(new Limits(maxBatch, MAX_METHOD_BYTES, MAX_ID_BYTES), methods);
    }

    /** Reads a body, which the caller gives up: ids and parameters are slices of it. Never throws for what it holds. */
    public RequestBody read(byte[] body, int offset, int length) {
        CallReader reader = readers.get();
        JsonScanner scanner = reader.begin(body, offset, length);
        try {
            RequestBody requests = scanner.peek() == '[' ? batch(reader, scanner) : reader.read();
            scanner.end();
            return requests;
        } catch (JsonSyntaxException e) {
            return refused(
                    e.kind() == JsonSyntaxException.Kind.TOO_DEEP ? ErrorCode.INVALID_REQUEST : ErrorCode.PARSE_ERROR,
                    e.getMessage());
        } finally {
            reader.end();
        }
    }

    private RequestBody batch(CallReader reader, JsonScanner scanner) throws JsonSyntaxException {
        scanner.open();
        if (!scanner.firstEntry()) {
            return refused(ErrorCode.INVALID_REQUEST, "batch: no elements (expected: at least 1)");
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
            return refused(
                    ErrorCode.INVALID_REQUEST, "batch: " + count + " elements (expected: at most " + maxBatch + ")");
        }
        return new RequestBody.Batch(items);
    }

    private static RequestBody refused(ErrorCode code, String problem) {
        RpcError error = code.error(code.error().message() + ": " + problem);
        return new InvalidRequest(RawJson.NULL, error);
    }
}
