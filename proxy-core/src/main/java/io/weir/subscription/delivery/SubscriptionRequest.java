package io.weir.subscription.delivery;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.LogCriteria;
import org.jspecify.annotations.Nullable;

/**
 * Request for a subscription, read from a call. Immutable.
 *
 * @param form of the notifications
 * @param criteria of the logs; null for other kinds
 * @param subject what events are about; null for kinds that are about nothing in particular
 * @param start the earlier block, by its height or hash, from which on events are told; none if later blocks alone are
 * @param passed what a node is asked for; null for kinds that the proxy knows
 * @param refusal the reply if the parameters are wrong; else null
 */
public record SubscriptionRequest(
        SubscriptionKind kind,
        NotificationForm form,
        @Nullable LogCriteria criteria,
        @Nullable RawJson subject,
        BlockSelector start,
        @Nullable Topic passed,
        RpcReply.@Nullable Failure refusal) {

    /** Returns the bytes of the parameters that the subscription keeps as the client wrote them. */
    public long keptBytes() {
        RawJson params = passed == null ? null : passed.call().params();
        long kept = params == null ? 0 : params.length();
        return kept + (subject == null ? 0 : subject.length());
    }

    /** Returns a request that is refused. */
    public static SubscriptionRequest refused(NotificationForm form, RpcReply.Failure refusal) {
        return new SubscriptionRequest(SubscriptionKind.NEW_HEADS, form, null, null, BlockSelector.NONE, null, refusal);
    }

    /** Returns a request for later events. */
    public static SubscriptionRequest of(SubscriptionKind kind, NotificationForm form, @Nullable LogCriteria criteria) {
        return new SubscriptionRequest(kind, form, criteria, null, BlockSelector.NONE, null, null);
    }

    /** Returns a request for results of a kind that a node serves. */
    public static SubscriptionRequest of(NotificationForm form, Topic passed) {
        return new SubscriptionRequest(SubscriptionKind.PASSED, form, null, null, BlockSelector.NONE, passed, null);
    }

    /** Returns the same request for events about something. */
    public SubscriptionRequest about(RawJson its) {
        return new SubscriptionRequest(kind, form, criteria, its, start, passed, refusal);
    }

    /** Returns the same request for events from a block on. */
    public SubscriptionRequest from(BlockSelector first) {
        return new SubscriptionRequest(kind, form, criteria, subject, first, passed, refusal);
    }
}
