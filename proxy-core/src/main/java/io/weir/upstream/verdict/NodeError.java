package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.text.JsonString;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.verdict.RevertError.RevertPayload;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Error in the form that the table reads; one instance per answer, because the search for the caller's text is done once.
 * Its text is the beginning of the message and of data in words. Nodes write megabytes, and the relevant words come first.
 * Confined to one thread.
 */
public final class NodeError {

    private static final int MAX_CHARS = 1024;

    private final List<RpcCall> calls;
    private final int code;
    private final String text;
    private final @Nullable RawJson payload;
    private final int status;
    private final boolean known;
    private final MethodFacts facts;
    private @Nullable CallerText callerText;

    private NodeError(List<RpcCall> calls, MethodFacts facts, RpcError error, int status, boolean known) {
        RawJson data = error.data();
        String words = data == null ? "" : words(data);
        String front = front(error.message());
        this.calls = calls;
        this.code = error.code();
        this.text = CallerText.fold(words.isEmpty() ? front : front + " | " + words);
        this.payload = RevertPayload.in(data);
        this.status = status;
        this.known = known;
        this.facts = facts;
    }

    /**
     * Creates the error of a node in answer to this call.
     *
     * @param facts of the call's method
     */
    public static NodeError of(MethodFacts facts, RpcCall call, RpcError error, int status) {
        return new NodeError(List.of(call), facts, error, status, facts.known());
    }

    /** Creates the error of a node in answer to a whole batch of at least one call, all with methods of the catalogue. */
    static NodeError ofBatch(List<RpcCall> calls, RpcError error, int status) {
        return new NodeError(calls, MethodCatalogue.ofName(calls.get(0).method()), error, status, true);
    }

    /** Creates the error of a node in answer to a call of the proxy itself. */
    public static NodeError ofProbe(RpcCall call, RpcError error, int status) {
        return ofBatch(List.of(call), error, status);
    }

    private static String front(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
    }

    /** Returns the words of data that is a string and not hex. Some nodes say there what happened. */
    private static String words(RawJson data) {
        if (data.first() != '"' || RevertPayload.isHex(data)) {
            return "";
        }
        // A truncated escape would be malformed, so only the part before the first escape counts.
        int start = data.offset() + 1;
        int end = Math.min(data.offset() + data.length() - 1, start + MAX_CHARS);
        int plain = start;
        while (plain < end && data.array()[plain] != '\\') {
            plain++;
        }
        return JsonString.unescape(data.array(), start, plain);
    }

    /** Returns the call's method; that of the first call if there are several. */
    String method() {
        return calls.get(0).method();
    }

    MethodFacts facts() {
        return facts;
    }

    public boolean is(int wanted) {
        return code == wanted;
    }

    int code() {
        return code;
    }

    /** Returns the HTTP status of the answer; 200 if it did not come over HTTP. */
    int status() {
        return status;
    }

    /** Returns the hex payload of a revert in the error's data, or null if there is none. */
    @Nullable
    RawJson payload() {
        return payload;
    }

    /** Returns whether all methods are in the catalogue or the call is the proxy's own, so that no caller invented the names. */
    boolean isOfKnownMethods() {
        return known;
    }

    /** Returns whether the node itself names the call's method. */
    boolean namesMethod() {
        String name = CallerText.fold(method());
        return text.contains(name) && (!known || callerText().ownWords().contains(name));
    }

    boolean beginsWith(String... phrases) {
        return Arrays.stream(phrases).anyMatch(text::startsWith);
    }

    /** Returns whether the node itself says one of these phrases, or none is required. Quotes from the caller do not count. */
    boolean says(Wording wording) {
        // The caller's text may be large, so it is searched only if a phrase occurs at all.
        return wording.isAny() || (wording.in(text) && wording.in(callerText()));
    }

    /** Returns the text with its quotes from the caller. */
    CallerText callerText() {
        CallerText found = callerText;
        if (found == null) {
            found = CallerText.in(text, calls, known);
            callerText = found;
        }
        return found;
    }
}
