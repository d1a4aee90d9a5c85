package io.weir.subscription.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.SubscriptionForm;
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
        Form form,
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

    public static SubscriptionRequest refused(Form form, RpcReply.Failure refusal) {
        return new SubscriptionRequest(SubscriptionKind.NEW_HEADS, form, null, null, BlockSelector.NONE, null, refusal);
    }

    /** Returns a request for later events. */
    public static SubscriptionRequest of(SubscriptionKind kind, Form form, @Nullable LogCriteria criteria) {
        return new SubscriptionRequest(kind, form, criteria, null, BlockSelector.NONE, null, null);
    }

    /** Returns a request for results of a kind that a node serves. */
    public static SubscriptionRequest of(Form form, Topic passed) {
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

    /**
     * The form of one kind of subscription's notifications. Immutable.
     *
     * @param call the method that subscribes, to which a client must keep the right
     * @param method the method of the notifications
     * @param idMember the name of the subscription's id in their parameters
     * @param reorganisation the method of the notifications of blocks that are no longer canonical; null if there are none
     */
    public record Form(
            String call,
            String method,
            String idMember,
            @Nullable String reorganisation) {

        /** Returns that of one kind of a network's subscriptions. */
        public static Form of(SubscriptionForm form, SubscriptionForm.Topic topic) {
            SubscriptionForm.Reorganisation replaced = form.reorganisation();
            return new Form(
                    topic.method(),
                    topic.notification(),
                    form.idMember(),
                    replaced == null ? null : replaced.notification());
        }

        /** Returns the beginning of each notification of a subscription. */
        byte[] head(String id) {
            return head(method, id);
        }

        /** Returns the beginning of the notifications of blocks that are no longer canonical; null if there are none. */
        byte @Nullable [] reorganisationHead(String id) {
            return reorganisation == null ? null : head(reorganisation, id);
        }

        private byte[] head(String name, String id) {
            return ("{\"jsonrpc\":\"2.0\",\"method\":\"" + name + "\",\"params\":{\"" + idMember + "\":\"" + id + '"')
                    .getBytes(UTF_8);
        }
    }
}
