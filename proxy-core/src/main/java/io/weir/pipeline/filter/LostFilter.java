package io.weir.pipeline.filter;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.Upstream;
import java.util.regex.Pattern;

/** Signs of a lost filter, and the answer to its client. */
public final class LostFilter {

    /** Geth's words, after which clients that know filters create a new one. */
    public static final RpcReply.Failure REPLY = RpcReply.failure(ErrorCode.INVALID_INPUT.error("filter not found"));

    private static final Pattern NOT_FOUND = Pattern.compile(
            "filter.{0,100}(not found|does not exist|unknown|expired)|(unknown|no such) filter",
            Pattern.CASE_INSENSITIVE);
    private static final int MAX_READ = 300;

    private LostFilter() {}

    /** Returns whether the node is gone that holds it. If so, the node's memory is most likely lost too. */
    static boolean isWith(Upstream upstream) {
        return switch (upstream.status().health()) {
            case DOWN, WRONG_CHAIN -> true;
            case UNKNOWN, HEALTHY, LAGGING, SYNCING, OUT_OF_LINE, EJECTED -> false;
        };
    }

    /** Returns whether a node says that it does not have it: by an error, or by {@code null}, as hardhat does. */
    static boolean isSaidBy(RpcReply reply) {
        if (reply instanceof RpcReply.Failure failure) {
            String message = failure.error().message();
            return failure.kind() == RpcReply.FailureKind.ANSWER
                    && NOT_FOUND
                            .matcher(message.substring(0, Math.min(MAX_READ, message.length())))
                            .find();
        }
        return reply instanceof RpcReply.Result result && result.value().equals(RawJson.NULL);
    }
}
