package io.weir.pipeline.plan;

import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Shortcut;
import io.weir.pipeline.Stage;
import org.jspecify.annotations.Nullable;

/**
 * The way of one method's calls on one network, decided when the configuration was loaded. Immutable.
 *
 * @param atOnce may answer clients' calls that are admitted, before they go their way; null where nothing does
 * @param meters of the method
 * @param entrance where clients' calls begin
 * @param behindAdmission where the proxy's own calls begin: past the admission and never at a plugin's handler
 */
public record MethodPlan(
        MethodFacts facts,
        Shortcut.@Nullable AtOnce atOnce,
        CallMeters.OfMethod meters,
        Stage entrance,
        Stage behindAdmission) {

    /** What a client's call is answered at once; null where it is to go its way. */
    @Nullable
    RpcReply answerAtOnce(CallContext context) {
        if (atOnce == null || !context.caller().mayCall(facts.name())) {
            return null;
        }
        RpcReply reply = atOnce.answer(context);
        if (reply != null) {
            meters.count(reply, System.nanoTime() - context.startNanos());
        }
        return reply;
    }
}
