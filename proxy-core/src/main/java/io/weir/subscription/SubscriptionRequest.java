package io.weir.subscription;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.subscription.delivery.NotificationForm;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.log.LogCriteria;
import io.weir.subscription.node.PassedCall;
import org.jspecify.annotations.Nullable;

/**
 * Request for a subscription, read from a call. Immutable.
 *
 * @param form of the notifications
 * @param criteria of the logs; null for other kinds
 * @param subject what events are about; null for kinds that are about nothing in particular
 * @param start the earlier block, by its height or hash, from which on events are told; none if later blocks alone are
 * @param passed the call that a node gets; null for kinds that the proxy knows
 * @param refusal the reply if the parameters are wrong; else null
 */
record SubscriptionRequest(
        SubscriptionKind kind,
        NotificationForm form,
        @Nullable LogCriteria criteria,
        @Nullable RawJson subject,
        BlockSelector start,
        @Nullable PassedCall passed,
        RpcReply.@Nullable Failure refusal) {

    /** Returns the bytes of the parameters that the subscription keeps as the client wrote them. */
    long keptBytes() {
        RawJson params = passed == null ? null : passed.call().params();
        long kept = params == null ? 0 : params.length();
        return kept + (subject == null ? 0 : subject.length());
    }

    /** Returns a request that is refused. */
    static SubscriptionRequest refused(NotificationForm form, RpcReply.Failure refusal) {
        return new SubscriptionRequest(SubscriptionKind.NEW_HEADS, form, null, null, BlockSelector.NONE, null, refusal);
    }
}
