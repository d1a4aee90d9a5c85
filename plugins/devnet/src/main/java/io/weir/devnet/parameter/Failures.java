package io.weir.devnet.parameter;

import io.weir.api.RpcException;

/** The errors that the devnet answers, in geth's codes and words. Thread-safe. */
public final class Failures {
    private static final int SERVER_ERROR = -32000;
    private static final int LIMIT_EXCEEDED = -32005;
    private static final int PRUNED = 4444;

    private Failures() {}

    /** Parameters that cannot be read or do not belong together. */
    public static RpcException invalidParams(String message) {
        return new RpcException(RpcException.INVALID_PARAMS, message);
    }

    /** Whatever else goes wrong. */
    public static RpcException failed(String message) {
        return new RpcException(SERVER_ERROR, message);
    }

    /** More asked for than is answered at once. */
    public static RpcException limitExceeded(String message) {
        return new RpcException(LIMIT_EXCEEDED, message);
    }

    /** A block that is no longer kept. */
    public static RpcException pruned() {
        return new RpcException(PRUNED, "pruned history unavailable");
    }
}
