package io.weir.subscription.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.access.RateGate;
import io.weir.access.UnitQuota;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.text.JsonString;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.ClientSession.SharedText;
import io.weir.subscription.delivery.SubscriptionMeters.Closing;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sender of notifications, within the bounds on what a connection may leave unsent. A connection over the bounds is closed, because
 * its client reads too slowly. Confined to its event loop.
 */
final class Notifier {

    private static final byte[] RESULT = ",\"result\":".getBytes(UTF_8);
    private static final byte[] ERROR = ",\"error\":".getBytes(UTF_8);

    /** Notifications that one connection may leave unsent: those of some minutes of a busy chain. */
    private static final int QUEUE_MESSAGES = 16_384;

    /** Bytes of these notifications: more would let a few slow clients fill what is in flight. */
    private static final long QUEUE_BYTES = 16 << 20;

    private final int charge;
    private final int queueMessages;
    private final long queueBytes;
    private final SubscriptionMeters meters;

    /** @param charge units of the caller's rate that a notification costs; 0 for none */
    Notifier(int charge, SubscriptionMeters meters) {
        this(charge, meters, QUEUE_MESSAGES, QUEUE_BYTES);
    }

    /**
     * @param queueMessages notifications that one connection may leave unsent
     * @param queueBytes bytes of these notifications
     */
    Notifier(int charge, SubscriptionMeters meters, int queueMessages, long queueBytes) {
        this.charge = charge;
        this.meters = meters;
        this.queueMessages = queueMessages;
        this.queueBytes = queueBytes;
    }

    /** Returns a result for all subscriptions of the event loop, encoded once. */
    Text text(byte[] result, Subscription any) {
        return text(RESULT, result, any, Subscription::head);
    }

    /** Returns an error for all subscriptions of the event loop, encoded once. */
    Text error(RpcError error, Subscription any) {
        meters.failed(any.kind());
        String message = new String(JsonString.quote(error.message()), UTF_8);
        String text = "{\"code\":" + error.code() + ",\"message\":" + message + '}';
        return text(ERROR, text.getBytes(UTF_8), any, Subscription::head);
    }

    /** Returns a result about blocks that are no longer canonical. */
    Text reorganisation(byte[] result, Subscription any) {
        return text(RESULT, result, any, Subscription::reorganisationHead);
    }

    private Text text(byte[] name, byte[] value, Subscription any, Function<Subscription, byte @Nullable []> heads) {
        byte[] rest = Arrays.copyOf(name, name.length + value.length + 2);
        System.arraycopy(value, 0, rest, name.length, value.length);
        rest[rest.length - 2] = '}';
        rest[rest.length - 1] = '}';
        return new Text(heads, rest, any.session().share(rest));
    }

    /** Sends the notifications that waited for the answer to their subscription, and later ones at once. */
    void open(Subscription subscription) {
        for (Subscription.Waiting waiting : subscription.open()) {
            try (SharedText shared = subscription.session().share(waiting.rest())) {
                send(subscription, waiting.head(), shared);
            }
        }
    }

    void close(ClientSession session, Closing closing, String reason) {
        if (session.isOpen()) {
            meters.closed(closing);
            session.tryAgainLater(reason);
        }
    }

    /** Closes the connection of a client whose key may not subscribe any more. */
    void revoke(ClientSession session) {
        if (session.isOpen()) {
            meters.closed(Closing.REVOKED);
            session.notPermitted("the key may not subscribe any more");
        }
    }

    private void send(Subscription subscription, byte[] head, SharedText rest) {
        ClientSession session = subscription.session();
        if (subscription.isEnded() || !session.isOpen()) {
            return;
        }
        int length = head.length + rest.length();
        if (isFull(session, length)) {
            // Messages of this turn may have filled it.
            session.flush();
            if (isFull(session, length)) {
                close(session, Closing.SLOW, "notifications are read too slowly");
                return;
            }
        }
        session.send(head, rest);
        meters.notified(subscription, charge, length);
        if (charge > 0) {
            charge(subscription);
        }
    }

    private void charge(Subscription subscription) {
        RateGate rate = subscription.caller().rate();
        if (rate != null) {
            rate.charge(charge);
        }
        UnitQuota quota = subscription.caller().bounds().quota();
        if (quota != null) {
            quota.charge(charge);
        }
    }

    /** Returns whether a message exceeds the bounds. One message always fits. */
    private boolean isFull(ClientSession session, int length) {
        return session.pendingMessages() > 0
                && (session.pendingMessages() >= queueMessages
                        || session.pendingBytes() + length > queueBytes
                        || !session.permits(length));
    }

    /** Returns whether half of what a connection may leave unsent is used. */
    boolean isHalfFull(ClientSession session) {
        return session.pendingMessages() > 0
                && (session.pendingMessages() >= queueMessages / 2 || session.pendingBytes() >= queueBytes / 2);
    }

    /** The end of a notification, for several subscriptions. Its creator closes it. Confined to the event loop. */
    final class Text implements AutoCloseable {

        /** Returns the beginning for a subscription; null if it gets none of this kind. */
        private final Function<Subscription, byte @Nullable []> heads;

        private final byte[] rest;
        private final SharedText shared;

        private Text(Function<Subscription, byte @Nullable []> heads, byte[] rest, SharedText shared) {
            this.heads = heads;
            this.rest = rest;
            this.shared = shared;
        }

        /** Sends it to a subscription, now or when its answer was written. Does nothing if the subscription gets none of its kind. */
        void send(Subscription subscription) {
            byte[] head = heads.apply(subscription);
            if (head == null) {
                return;
            }
            if (subscription.isOpen()) {
                Notifier.this.send(subscription, head, shared);
            } else if (!subscription.isEnded()) {
                await(subscription, head);
            }
        }

        /** Sends it to a subscription before those that wait. */
        void sendEarly(Subscription subscription) {
            Notifier.this.send(subscription, subscription.head(), shared);
        }

        private void await(Subscription subscription, byte[] head) {
            if (subscription.waitingCount() >= queueMessages
                    || subscription.waitingBytes() + rest.length > queueBytes) {
                Notifier.this.close(subscription.session(), Closing.SLOW, "an answer was pending for too long");
            } else {
                subscription.await(new Subscription.Waiting(head, rest));
            }
        }

        @Override
        public void close() {
            shared.close();
        }
    }
}
