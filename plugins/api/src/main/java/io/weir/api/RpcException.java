package io.weir.api;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A JSON-RPC error to give to the client: code, message and data go out as they are. Has no stack trace. */
public final class RpcException extends RuntimeException {

    /** JSON-RPC 2.0: the method does not exist. */
    public static final int METHOD_NOT_FOUND = -32601;

    /** JSON-RPC 2.0: the parameters are wrong. */
    public static final int INVALID_PARAMS = -32602;

    /** JSON-RPC 2.0: an internal error; real clients repeat a call that got it. */
    public static final int INTERNAL_ERROR = -32603;

    /** The caller's rate or units do not suffice now; real clients repeat the call later. */
    public static final int LIMIT_EXCEEDED = -32005;

    private final int code;
    private final transient @Nullable JsonNode data;

    public RpcException(int code, String message) {
        this(code, message, null);
    }

    public RpcException(int code, String message, @Nullable JsonNode data) {
        super(message, null, false, false);
        this.code = code;
        this.data = data;
    }

    /** The error's code. */
    public int code() {
        return code;
    }

    /** The error's data, or null where it has none. */
    public @Nullable JsonNode data() {
        return data;
    }
}
