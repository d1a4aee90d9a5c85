package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodPolicy;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.regex.Pattern;

/** Holds methods that the catalogue does not know against the network's rules. Thread-safe. */
final class PolicyStage implements Stage {

    /** Answers as a node does that does not know the method. */
    static final Stage DENY =
            (context, sink) -> sink.accept(unknown(context.call().method()));

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private final MethodPolicy policy;
    private final Stage next;

    PolicyStage(MethodPolicy policy, Stage next) {
        this.policy = policy;
        this.next = next;
    }

    /** That there is no such method, in geth's words; control characters of its name are not told back. */
    static RpcReply.Failure unknown(String method) {
        String shown = UNPRINTABLE.matcher(method).replaceAll("\ufffd");
        return RpcReply.failure(
                ErrorCode.METHOD_NOT_FOUND.error("the method " + shown + " does not exist/is not available"));
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        (policy.serves(context.call().method(), false) ? next : DENY).handle(context, sink);
    }
}
