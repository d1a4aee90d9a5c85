package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of request bodies, one after the other. Confined to one thread.
 *
 * <p>The whole element is read even after something was found wrong with it: its id may come last, and a syntax error behind
 * it concerns the whole body. The first thing found wrong is the one that is told.
 */
final class CallReader {

    private static final NameTable MEMBERS = NameTable.of(List.of("jsonrpc", "id", "method", "params"));
    private static final byte[] VERSION = "\"2.0\"".getBytes(US_ASCII);
    private static final int MAX_EXTRA_MEMBERS = 32;
    private static final String RESERVED_PREFIX = "rpc.";

    private static final byte[] NOTHING = {};

    private final JsonScanner scanner = JsonScanner.strict(NOTHING, 0, 0);
    private final RequestReader.Limits limits;
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

    CallReader(RequestReader.Limits limits, NameTable methods) {
        this.limits = limits;
        this.methods = methods;
    }

    /** Begins with a body; the scanner that walks through it. */
    JsonScanner begin(byte[] body, int offset, int length) {
        text = body;
        scanner.begin(body, offset, length);
        return scanner;
    }

    /** Lets go of the body. */
    void end() {
        begin(NOTHING, 0, 0);
        forget();
    }

    private void forget() {
        id = null;
        params = null;
        methodName = null;
        versionRead = false;
        methodRead = false;
        idIsSure = true;
        extras = Set.of();
        problem = null;
    }

    /** Reads the value that comes next, whatever it is; throws only if it is not JSON. */
    RequestItem read() throws JsonSyntaxException {
        forget();
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
            String name = memberName();
            int start = scanner.position();
            scanner.skip();
            member(name, start, scanner.position());
            more = scanner.nextEntry();
        }
    }

    /** Reads no more unknown names than may stand there: of one beyond those nothing is made. */
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
            refuse(name, "two of it", "one");
        }
    }

    private void checkVersion(int start, int end) {
        if (!Arrays.equals(text, start, end, VERSION, 0, VERSION.length)
                && (text[start] != '"' || !"2.0".equals(string(start, end)))) {
            refuse("jsonrpc", text[start] == '"' ? "another string" : typeName(text[start]), "\"2.0\"");
        }
    }

    private void checkId(RawJson value) {
        switch (value.first()) {
            case '{', '[', 't', 'f' -> {
                idIsSure = false;
                refuse("id", typeName(value.first()), "a string, a number or null");
            }
            default -> {
                if (value.length() > limits.idBytes()) {
                    idIsSure = false;
                    refuse("id", value.length() + " bytes", "at most " + limits.idBytes());
                }
            }
        }
    }

    private void checkMethod(int start, int end) {
        if (text[start] != '"') {
            refuse("method", typeName(text[start]), "a string");
            return;
        }
        int bytes = end - start - 2;
        if (bytes > limits.methodBytes()) {
            refuse("method", bytes + " bytes", "at most " + limits.methodBytes());
            return;
        }
        String known = methods.find(text, start + 1, end - 1);
        methodName = known != null ? known : string(start, end);
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
        if (!versionRead) {
            refuse("jsonrpc", "missing", "\"2.0\"");
        }
        if (!methodRead) {
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
