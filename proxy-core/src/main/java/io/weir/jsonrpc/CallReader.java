package io.weir.jsonrpc;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one element of a request body, once. Confined to one thread.
 *
 * <p>The whole element is read even after something was found wrong with it: its id may come last, and a syntax error behind
 * it concerns the whole body. The first thing found wrong is the one that is told.
 */
final class CallReader {

    private static final NameTable MEMBERS = NameTable.of(List.of("jsonrpc", "id", "method", "params"));
    private static final int MAX_METHOD_BYTES = 2048;
    private static final int MAX_EXTRA_MEMBERS = 32;
    private static final String RESERVED_PREFIX = "rpc.";

    private final byte[] text;
    private final JsonScanner scanner;
    private final NameTable methods;

    private @Nullable RawJson version;
    private @Nullable RawJson id;
    private @Nullable RawJson method;
    private @Nullable RawJson params;
    private @Nullable String methodName;
    private boolean idIsSure = true;
    private Set<String> extras = Set.of();
    private @Nullable String problem;

    CallReader(byte[] text, JsonScanner scanner, NameTable methods) {
        this.text = text;
        this.scanner = scanner;
        this.methods = methods;
    }

    /** Reads the value that comes next, whatever it is; throws only if it is not JSON. */
    RequestItem read() throws JsonSyntaxException {
        int first = scanner.peek();
        int offset = scanner.offset();
        if (first == '{') {
            members();
            requireMembers();
        } else {
            scanner.skip();
            refuse("", typeName(first), "an object");
        }
        return item(offset);
    }

    private void members() throws JsonSyntaxException {
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.member(MEMBERS);
            int start = scanner.position();
            scanner.skip();
            member(name, RawJson.slice(text, start, scanner.position() - start));
            more = scanner.nextEntry();
        }
    }

    private void member(String name, RawJson value) {
        switch (name) {
            case "jsonrpc" -> {
                version = once(name, version, value);
                checkVersion(value);
            }
            case "id" -> {
                idIsSure &= id == null;
                id = once(name, id, value);
                checkId(value);
            }
            case "method" -> {
                method = once(name, method, value);
                checkMethod(value);
            }
            case "params" -> {
                params = once(name, params, value);
                checkParams(value);
            }
            default -> extra(name);
        }
    }

    private RawJson once(String name, @Nullable RawJson before, RawJson value) {
        if (before != null) {
            refuse(name, "two of it", "one");
        }
        return value;
    }

    private void checkVersion(RawJson value) {
        if (value.first() != '"' || !"2.0".equals(string(value))) {
            refuse("jsonrpc", value.first() == '"' ? "another string" : typeName(value.first()), "\"2.0\"");
        }
    }

    private void checkId(RawJson value) {
        switch (value.first()) {
            case '{', '[', 't', 'f' -> {
                idIsSure = false;
                refuse("id", typeName(value.first()), "a string, a number or null");
            }
            default -> {}
        }
    }

    private void checkMethod(RawJson value) {
        if (value.first() != '"') {
            refuse("method", typeName(value.first()), "a string");
            return;
        }
        if (value.length() - 2 > MAX_METHOD_BYTES) {
            refuse("method", value.length() - 2 + " bytes", "at most " + MAX_METHOD_BYTES);
            return;
        }
        int start = value.offset() + 1;
        String known = methods.find(text, start, start + value.length() - 2);
        methodName = known != null ? known : string(value);
        if (known == null && !JsonString.isUnicode(methodName)) {
            refuse("method", "half a surrogate pair", "Unicode text");
        }
    }

    private void checkParams(RawJson value) {
        switch (value.first()) {
            case '{', '[', 'n' -> {}
            default -> refuse("params", typeName(value.first()), "an array or an object");
        }
    }

    /** Members beyond JSON-RPC's are dropped, so their values do not matter; nobody needs many. */
    private void extra(String name) {
        if (extras.isEmpty()) {
            extras = new HashSet<>();
        }
        if (extras.size() == MAX_EXTRA_MEMBERS) {
            refuse("members", "more than " + MAX_EXTRA_MEMBERS + " unknown ones", "jsonrpc, id, method, params");
        } else if (!extras.add(name)) {
            refuse("members", "two of one name", "one");
        }
    }

    private void requireMembers() {
        if (version == null) {
            refuse("jsonrpc", "missing", "\"2.0\"");
        }
        if (method == null) {
            refuse("method", "missing", "a string");
        }
    }

    private void refuse(String name, String found, String expected) {
        if (problem == null) {
            problem = (name.isEmpty() ? "" : name + ": ") + found + " (expected: " + expected + ")";
        }
    }

    private RequestItem item(int offset) {
        RawJson answerId = id != null && idIsSure ? id : RawJson.NULL;
        if (problem != null || methodName == null) {
            String message = ErrorCode.INVALID_REQUEST.error().message() + ": byte " + offset + ": " + problem;
            return new InvalidRequest(answerId, ErrorCode.INVALID_REQUEST.error(message));
        }
        // A notification of that kind goes on: nobody knows the method, and nobody is answered.
        if (id != null && methodName.startsWith(RESERVED_PREFIX)) {
            return new InvalidRequest(answerId, ErrorCode.METHOD_NOT_FOUND.error());
        }
        return new RpcCall(id, methodName, params == null || params.first() == 'n' ? null : params);
    }

    private static String string(RawJson value) {
        return JsonString.unescape(value.array(), value.offset() + 1, value.offset() + value.length() - 1);
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
