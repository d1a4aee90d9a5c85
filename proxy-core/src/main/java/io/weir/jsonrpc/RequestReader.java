package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Strict reader of the bodies that clients send, one after the other. Confined to one thread.
 *
 * <p>A body is one JSON text of RFC 8259 in UTF-8 without a byte order mark, nested at most 64 deep. Any other body
 * becomes one {@link RequestItem.Invalid}. Escapes of unpaired surrogates are JSON: they pass byte for byte in ids and
 * parameters, but not in method names.
 *
 * <p>It reads an element of a body to its end even after it found a problem. The id may come last, and a later syntax error
 * concerns the whole body. The error names the first problem only.
 */
public final class RequestReader {

    private static final NameTable MEMBERS = NameTable.of(List.of("jsonrpc", "id", "method", "params"));
    private static final byte[] VERSION = "\"2.0\"".getBytes(US_ASCII);
    private static final int MAX_EXTRA_MEMBERS = 32;
    private static final String RESERVED_PREFIX = "rpc.";

    /** Bytes of a method name, as written: more than twice those of the longest known name. */
    private static final int MAX_METHOD_BYTES = 128;

    /** Bytes of an id, as written: clients send numbers and UUIDs, and each answer repeats the id. */
    private static final int MAX_ID_BYTES = 1_024;

    private static final byte[] NOTHING = {};

    private final int maxBatch;
    private final JsonScanner scanner = JsonScanner.strict(NOTHING, 0, 0);
    private final NameTable methods;
    private byte[] text = NOTHING;

    private @Nullable RawJson id;
    private @Nullable RawJson params;
    private @Nullable String methodName;
    private boolean versionRead;
    private boolean methodRead;
    private boolean idIsSure = true;
    private Set<String> extras = Set.of();
    private @Nullable String problem;

    /**
     * Creates a reader.
     *
     * @param maxBatch elements of a batch
     * @param methods known names, for which the reader creates no strings: calls carry the table's instance
     */
    public RequestReader(int maxBatch, NameTable methods) {
        this.maxBatch = maxBatch;
        this.methods = methods;
    }

    /**
     * Reads a body. Its ids and parameters are slices of the array, which the caller must not modify afterwards. Never
     * throws because of the content.
     */
    public RequestBody read(byte[] body, int offset, int length) {
        begin(body, offset, length);
        try {
            RequestBody requests = scanner.peek() == '[' ? batch() : element();
            scanner.end();
            return requests;
        } catch (JsonSyntaxException e) {
            return invalid(
                    e.kind() == JsonSyntaxException.Kind.TOO_DEEP ? ErrorCode.INVALID_REQUEST : ErrorCode.PARSE_ERROR,
                    e.getMessage());
        } finally {
            // The reader lives longer than the body.
            begin(NOTHING, 0, 0);
            reset();
        }
    }

    private void begin(byte[] body, int offset, int length) {
        text = body;
        scanner.begin(body, offset, length);
    }

    private RequestBody batch() throws JsonSyntaxException {
        scanner.open();
        if (!scanner.firstEntry()) {
            return invalid(ErrorCode.INVALID_REQUEST, "batch: no elements (expected: at least 1)");
        }
        List<RequestItem> items = new ArrayList<>();
        int count = 0;
        do {
            if (count++ < maxBatch) {
                items.add(element());
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

    private void reset() {
        id = null;
        params = null;
        methodName = null;
        versionRead = false;
        methodRead = false;
        idIsSure = true;
        extras = Set.of();
        problem = null;
    }

    /** Reads the next value of any type. Throws only if it is not JSON. */
    private RequestItem element() throws JsonSyntaxException {
        reset();
        int first = scanner.peek();
        int offset = scanner.offset();
        if (first == '{') {
            members();
            requireMembers();
        } else {
            scanner.skip();
            reject("", typeName(first), "an object");
        }
        return item(offset);
    }

    private void members() throws JsonSyntaxException {
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = memberName();
            int start = scanner.position();
            scanner.skip();
            member(name, start, scanner.position());
            more = scanner.nextEntry();
        }
    }

    /** Returns the name of a member. After the maximum of unknown members it creates no more strings for them. */
    private String memberName() throws JsonSyntaxException {
        if (extras.size() < MAX_EXTRA_MEMBERS) {
            return scanner.member(MEMBERS);
        }
        String known = scanner.knownMember(MEMBERS);
        return known == null ? "" : known;
    }

    private void member(String name, int start, int end) {
        switch (name) {
            case "jsonrpc" -> {
                once(name, versionRead);
                versionRead = true;
                checkVersion(start, end);
            }
            case "id" -> {
                once(name, id != null);
                idIsSure &= id == null;
                id = RawJson.slice(text, start, end - start);
                checkId(id);
            }
            case "method" -> {
                once(name, methodRead);
                methodRead = true;
                checkMethod(start, end);
            }
            case "params" -> {
                once(name, params != null);
                params = RawJson.slice(text, start, end - start);
                checkParams(params);
            }
            default -> extra(name);
        }
    }

    private void once(String name, boolean before) {
        if (before) {
            reject(name, "two of it", "one");
        }
    }

    private void checkVersion(int start, int end) {
        if (!Arrays.equals(text, start, end, VERSION, 0, VERSION.length)
                && (text[start] != '"' || !"2.0".equals(string(start, end)))) {
            reject("jsonrpc", text[start] == '"' ? "another string" : typeName(text[start]), "\"2.0\"");
        }
    }

    private void checkId(RawJson value) {
        switch (value.first()) {
            case '{', '[', 't', 'f' -> {
                idIsSure = false;
                reject("id", typeName(value.first()), "a string, a number or null");
            }
            default -> {
                if (value.length() > MAX_ID_BYTES) {
                    idIsSure = false;
                    reject("id", value.length() + " bytes", "at most " + MAX_ID_BYTES);
                }
            }
        }
    }

    private void checkMethod(int start, int end) {
        if (text[start] != '"') {
            reject("method", typeName(text[start]), "a string");
            return;
        }
        int bytes = end - start - 2;
        if (bytes > MAX_METHOD_BYTES) {
            reject("method", bytes + " bytes", "at most " + MAX_METHOD_BYTES);
            return;
        }
        String known = methods.find(text, start + 1, end - 1);
        methodName = known != null ? known : string(start, end);
        if (known == null && !JsonString.isUnicode(methodName)) {
            reject("method", "half a surrogate pair", "Unicode text");
        }
    }

    private void checkParams(RawJson value) {
        switch (value.first()) {
            case '{', '[', 'n' -> {}
            default -> reject("params", typeName(value.first()), "an array or an object");
        }
    }

    /**
     * Records an unknown member. The proxy drops such members, so their values do not matter, but it bounds their
     * number.
     */
    private void extra(String name) {
        if (extras.isEmpty()) {
            extras = new HashSet<>();
        }
        if (extras.size() == MAX_EXTRA_MEMBERS) {
            reject("members", "more than " + MAX_EXTRA_MEMBERS + " unknown ones", "jsonrpc, id, method, params");
        } else if (!extras.add(name)) {
            reject("members", "two of one name", "one");
        }
    }

    private void requireMembers() {
        if (!versionRead) {
            reject("jsonrpc", "missing", "\"2.0\"");
        }
        if (!methodRead) {
            reject("method", "missing", "a string");
        }
    }

    private void reject(String name, String found, String expected) {
        if (problem == null) {
            problem = (name.isEmpty() ? "" : name + ": ") + found + " (expected: " + expected + ")";
        }
    }

    private RequestItem item(int offset) {
        RawJson answerId = id != null && idIsSure ? id : RawJson.NULL;
        if (problem != null || methodName == null) {
            String message = ErrorCode.INVALID_REQUEST.error().message() + ": byte " + offset + ": " + problem;
            return new RequestItem.Invalid(answerId, ErrorCode.INVALID_REQUEST.error(message));
        }
        // A notification with a reserved name continues: its method is unknown, and it gets no answer.
        if (id != null && methodName.startsWith(RESERVED_PREFIX)) {
            return new RequestItem.Invalid(answerId, ErrorCode.METHOD_NOT_FOUND.error());
        }
        return new RpcCall(id, methodName, params == null || params.first() == 'n' ? null : params);
    }

    private String string(int start, int end) {
        return JsonString.unescape(text, start + 1, end - 1);
    }

    private static String typeName(int first) {
        return switch (first) {
            case '{' -> "an object";
            case '[' -> "an array";
            case '"' -> "a string";
            case 't', 'f' -> "a boolean";
            case 'n' -> "null";
            default -> "a number";
        };
    }
}
