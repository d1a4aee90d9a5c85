package io.weir.pipeline.filter;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.Upstream;
import java.util.regex.Pattern;

/** How a filter shows that it is lost, and what its client is told. */
final class LostFilter {

    /** In geth's words, after which clients that know filters make a new one. */
    static final RpcReply.Failure REPLY = RpcReply.failure(ErrorCode.INVALID_INPUT.error("filter not found"));

    private static final Pattern NOT_FOUND = Pattern.compile(
            "filter.{0,100}(not found|does not exist|unknown|expired)|(unknown|no such) filter",
            Pattern.CASE_INSENSITIVE);
    private static final int MAX_READ = 300;

    private LostFilter() {}

    /** Whether a node that holds it is gone: what it held in memory is then most likely gone too. */
    static boolean isWith(Upstream upstream) {
        return switch (upstream.status().health()) {
            case DOWN, WRONG_CHAIN -> true;
            case UNKNOWN, HEALTHY, LAGGING, SYNCING -> false;
        };
    }

    /** Whether a node says that it does not have it: by an error, or, as hardhat does, by {@code null}. */
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
