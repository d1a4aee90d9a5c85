package io.weir.subscription.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.SubscriptionForm;
import org.jspecify.annotations.Nullable;

/**
 * The form of one kind of subscription's notifications. Immutable.
 *
 * @param call the method that subscribes, to which a client must keep the right
 * @param method the method of the notifications
 * @param idMember the name of the subscription's id in their parameters
 * @param reorganisation the method of the notifications of blocks that are no longer canonical; null if there are none
 */
public record NotificationForm(
        String call,
        String method,
        String idMember,
        @Nullable String reorganisation) {

    /** Returns that of one kind of a network's subscriptions. */
    public static NotificationForm of(SubscriptionForm form, SubscriptionForm.Topic topic) {
        SubscriptionForm.Reorganisation replaced = form.reorganisation();
        return new NotificationForm(
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
