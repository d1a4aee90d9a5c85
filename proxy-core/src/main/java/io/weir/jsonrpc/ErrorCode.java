package io.weir.jsonrpc;

/** The codes that the proxy itself answers with; nodes' own codes pass as they are. */
public enum ErrorCode {
    /** Not JSON. */
    PARSE_ERROR(-32700, "parse error"),
    /** JSON, but no JSON-RPC 2.0 request. */
    INVALID_REQUEST(-32600, "invalid request"),
    /** No such method, here or on this network. */
    METHOD_NOT_FOUND(-32601, "method not found"),
    /** Wrong parameters. */
    INVALID_PARAMS(-32602, "invalid params"),
    /** No upstream could answer, or the proxy failed; real clients repeat the call. */
    INTERNAL_ERROR(-32603, "internal error"),
    /** Unknown or missing API key. */
    UNAUTHORIZED(-32001, "invalid api key"),
    /** Known key, not permitted. */
    FORBIDDEN(-32002, "not permitted"),
    /** A lasting failure that clients do not repeat: a filter that is not there, a result that is too large. */
    INVALID_INPUT(-32000, "invalid input"),
    /** Over a rate, or too much open at once; clients repeat the call. */
    LIMIT_EXCEEDED(-32005, "rate limit exceeded");

    private final int code;
    private final String text;

    ErrorCode(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The error with its usual message. */
    public RpcError error() {
        return new RpcError(code, text, null);
    }

    /** The error with a message of its own. */
    public RpcError error(String message) {
        return new RpcError(code, message, null);
    }
}
