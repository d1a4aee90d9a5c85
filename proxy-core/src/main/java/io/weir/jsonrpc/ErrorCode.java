package io.weir.jsonrpc;

/** The error codes that the proxy itself answers with. Codes of nodes pass unchanged. */
public enum ErrorCode {
    /** The body is not JSON. */
    PARSE_ERROR(-32700, "parse error"),
    /** The body is JSON, but not a JSON-RPC 2.0 request. */
    INVALID_REQUEST(-32600, "invalid request"),
    /** The method does not exist in the proxy or on this network. */
    METHOD_NOT_FOUND(-32601, "method not found"),
    /** The parameters are wrong. */
    INVALID_PARAMS(-32602, "invalid params"),
    /** No upstream could answer, or the proxy failed. Clients repeat the call. */
    INTERNAL_ERROR(-32603, "internal error"),
    /** The API key is unknown or missing. */
    UNAUTHORIZED(-32001, "invalid api key"),
    /** The API key is known, but does not permit the request. */
    FORBIDDEN(-32002, "not permitted"),
    /** A permanent failure that clients do not repeat, such as an unknown filter or a result that is too large. */
    INVALID_INPUT(-32000, "invalid input"),
    /** The results of a batch are too large together, as geth says it. Clients send smaller batches. */
    RESPONSE_TOO_LARGE(-32003, "response too large"),
    /** The upstreams whose answers to a call must be equal gave different ones. */
    NO_AGREEMENT(-32010, "upstreams do not agree"),
    /** A simulation has more blocks or calls than are executed, as {@code eth_simulateV1} says it. */
    SIMULATION_TOO_LARGE(-38026, "simulation too large"),
    /** A transaction has no receipt in the time that its sender waits, as EIP-7966 says it. */
    NOT_MINED_IN_TIME(4, "not mined in time"),
    /** The caller exceeds a rate, or has too much open. Clients repeat the call. */
    LIMIT_EXCEEDED(-32005, "rate limit exceeded");

    private final int code;
    private final String text;

    ErrorCode(int code, String text) {
        this.code = code;
        this.text = text;
    }

    public int code() {
        return code;
    }

    public RpcError error() {
        return new RpcError(code, text, null);
    }

    public RpcError error(String message) {
        return new RpcError(code, message, null);
    }
}
