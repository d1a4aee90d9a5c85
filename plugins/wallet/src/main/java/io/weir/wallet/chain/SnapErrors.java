package io.weir.wallet.chain;

import io.weir.api.RpcException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The errors that wallets answer with. Thread-safe. */
public final class SnapErrors {
    /** EIP-1193: a person said no. */
    public static final int USER_REJECTED = 4001;

    /** An error of the wallet itself; not -32603, at which clients repeat calls. */
    public static final int FAILED = -32000;

    /** JSON-RPC 2.0: the envelope is wrong. */
    public static final int INVALID_REQUEST = -32600;

    private static final int USER_REFUSED_OPERATION = 113;
    private static final int ACCOUNT_ALREADY_DEPLOYED = 115;

    private SnapErrors() {}

    /** A person refused. */
    public static RpcException userRejected() {
        String message = "User rejected the request.";
        return new RpcException(USER_REJECTED, message, data(USER_REFUSED_OPERATION, message));
    }

    /** The operator's policy refuses it, or has nobody who could approve it. */
    public static RpcException forbidden() {
        return new RpcException(
                L2Networks.UNAUTHORIZED, "not permitted: this wallet approves no such request of this key");
    }

    /** An account is on the chain already. */
    public static RpcException alreadyDeployed(String message) {
        return new RpcException(FAILED, message, data(ACCOUNT_ALREADY_DEPLOYED, message));
    }

    /** The wallet cannot do it now. */
    public static RpcException failed(String message) {
        return new RpcException(FAILED, message);
    }

    /** Too much of the same is under way. */
    public static RpcException busy(String message) {
        return new RpcException(RpcException.LIMIT_EXCEEDED, message);
    }

    /** A parameter is wrong. */
    public static RpcException invalidParams(String message) {
        return new RpcException(RpcException.INVALID_PARAMS, message);
    }

    /** The code of the network's own wallet API beside the general one. */
    private static ObjectNode data(int code, String message) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        ObjectNode error = data.putObject("walletRpcError");
        error.put("code", code);
        error.put("message", message);
        return data;
    }
}
