package io.weir.subscription.delivery;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.RpcError;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.ClientSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions of one network's clients whose connections share an event loop. Events and new subscriptions take effect in the
 * order in which they come. Confined to that event loop, except for {@link #submit}.
 */
public final class LoopSubscriptions {

    /** Pause before more is sent to a connection that accepts no more for now. */
    private static final long CATCH_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Work of looking for the criteria that match a log, beside the comparisons. */
    private static final int LOOKUP = 8;

    private final EventLoop loop;
    /** Takes each subscription that was added, once it has ended; thread-safe. */
    private final Consumer<Subscription> ended;

    private final Notifier notifier;
    private final DeliveryTurns turns;
    private final OpenSubscriptions open = new OpenSubscriptions();

    /** Creates the subscriptions of an event loop, without any. */
    public LoopSubscriptions(
            EventLoop loop, SubscriptionConfig config, Consumer<Subscription> ended, SubscriptionMeters meters) {
        this(loop, new Notifier(config.chargePerNotification(), meters), ended);
    }

    LoopSubscriptions(EventLoop loop, Notifier notifier, Consumer<Subscription> ended) {
        this.loop = loop;
        this.ended = ended;
        this.notifier = notifier;
        this.turns = new DeliveryTurns(loop);
    }

    /** Delivers an event. Thread-safe. */
    public void submit(Delivered event) {
        turns.submit(delivery(event));
    }

    /** Runs an action behind all events that were submitted before. Thread-safe. */
    public void submit(Runnable action) {
        turns.submit(max -> {
            action.run();
            return max;
        });
    }

    /** Returns the number of subscriptions of a connection. */
    public int count(ClientSession session) {
        return open.of(session).size();
    }

    /** Returns the number of addresses and topics in the criteria of the subscriptions of a connection. */
    public long criteria(ClientSession session) {
        return open.criteriaOf(session);
    }

    /** Adds a subscription. Events after this one reach it. */
    public void add(Subscription subscription) {
        ClientSession session = subscription.session();
        if (open.addSession(session)) {
            session.whenClosed(() -> open.remove(session).forEach(this::ended));
            session.whenReadmitted(caller -> readmitted(session, caller));
        }
        open.add(subscription);
        Caller latest = session.readmitted();
        if (latest != null) {
            // A later configuration may have come while the subscription joined its source.
            readmitted(session, latest, List.of(subscription));
        }
    }

    /** Sends the notifications of a subscription whose answer was written, and later ones at once. */
    public void open(Subscription subscription) {
        if (!subscription.isEnded()) {
            notifier.open(subscription);
        }
        if (subscription.isEnding()) {
            remove(subscription.session(), subscription.id());
        }
    }

    /** Sends a result to one subscription, if it has not ended. */
    void send(Subscription subscription, byte[] result) {
        if (open.has(subscription)) {
            try (Notifier.Text text = notifier.text(result, subscription)) {
                text.send(subscription);
            }
        }
    }

    /** Tells one subscription, if it has not ended, of blocks that are no longer canonical. */
    void reorganised(Subscription subscription, byte[] result) {
        if (open.has(subscription)) {
            try (Notifier.Text text = notifier.reorganisation(result, subscription)) {
                text.send(subscription);
            }
        }
    }

    /** Receiver of the end of a part of earlier results. Confined to the event loop of the connection. */
    @FunctionalInterface
    public interface CaughtUp {

        /** Handles the end. If the subscription does not go on, its results were not all sent. */
        void done(boolean goesOn);
    }

    /**
     * Sends earlier results to a subscription whose answer was written, before those that wait. Few enough are sent at once that the
     * connection keeps within its bounds.
     *
     * @param deadlineNanos when the client must have read them, on the clock of {@link System#nanoTime}
     * @param caughtUp called once
     */
    public void catchUp(Subscription subscription, Queue<byte[]> results, long deadlineNanos, CaughtUp caughtUp) {
        ClientSession session = subscription.session();
        while (open.has(subscription) && !results.isEmpty() && !notifier.isHalfFull(session)) {
            try (Notifier.Text text = notifier.text(results.remove(), subscription)) {
                text.sendEarly(subscription);
            }
        }
        boolean left = open.has(subscription) && !results.isEmpty();
        if (left && System.nanoTime() - deadlineNanos < 0) {
            session.flush();
            loop.schedule(
                    () -> catchUp(subscription, results, deadlineNanos, caughtUp),
                    CATCH_UP_NANOS,
                    TimeUnit.NANOSECONDS);
            return;
        }
        if (left) {
            notifier.close(session, SubscriptionMeters.Closing.SLOW, "notifications are read too slowly");
        }
        caughtUp.done(!left && open.has(subscription));
    }

    /** Closes the connection of a subscription, because its stream cannot go on. */
    public void lose(Subscription subscription, String reason) {
        if (open.has(subscription)) {
            notifier.close(subscription.session(), SubscriptionMeters.Closing.LOST, reason);
        }
    }

    /** Ends a subscription with a notification of the error. */
    void fail(Subscription subscription, RpcError error) {
        if (!open.has(subscription)) {
            return;
        }
        try (Notifier.Text text = notifier.error(error, subscription)) {
            text.send(subscription);
        }
        if (subscription.isOpen()) {
            remove(subscription.session(), subscription.id());
        } else {
            subscription.ending();
        }
    }

    /** Ends a subscription. Returns whether the connection had it. */
    public boolean remove(ClientSession session, String id) {
        Subscription removed = open.remove(session, id);
        if (removed != null) {
            ended(removed);
        }
        return removed != null;
    }

    private void ended(Subscription subscription) {
        subscription.end();
        ended.accept(subscription);
    }

    private void readmitted(ClientSession session, Caller caller) {
        readmitted(session, caller, open.of(session));
    }

    /** Goes on with the subscriptions of a client whose key still has the right to them, and is bound to the same contracts. */
    private void readmitted(ClientSession session, Caller caller, Collection<Subscription> its) {
        if (its.isEmpty()) {
            return;
        }
        if (its.stream()
                .allMatch(subscription -> caller.mayCall(subscription.form().call())
                        && Objects.equals(
                                caller.bounds().contracts(),
                                subscription.caller().bounds().contracts()))) {
            its.forEach(subscription -> subscription.caller(caller));
        } else {
            notifier.revoke(session);
        }
    }

    private void deliver(Delivered event, Subscription to) {
        if (event instanceof Delivered.Result result) {
            send(to, result.result());
        } else if (event instanceof Delivered.Reorganisation of) {
            reorganised(to, of.result());
        } else if (event instanceof Delivered.Failure failure) {
            fail(to, failure.error());
        }
    }

    private Delivery delivery(Delivered event) {
        if (event instanceof Delivered.ToOne one) {
            return max -> {
                if (one.member() instanceof Subscription subscription) {
                    deliver(one.event(), subscription);
                }
                return max;
            };
        }
        if (event instanceof Delivered.Result result) {
            return new ResultDelivery(() -> open.ofKind(result.kind()), any -> notifier.text(result.result(), any));
        }
        if (event instanceof Delivered.Reorganisation of) {
            return new ResultDelivery(
                    of.toLogs() ? open::withCriteria : open::ofStream,
                    any -> notifier.reorganisation(of.result(), any));
        }
        if (event instanceof Delivered.Failure failure) {
            return max -> {
                List.copyOf(open.ofKind(failure.kind())).forEach(one -> fail(one, failure.error()));
                return max;
            };
        }
        if (event instanceof Delivered.Logs of) {
            return new LogDelivery(of);
        }
        Delivered.End end = (Delivered.End) event;
        return max -> {
            open.sessions(end.kind())
                    .forEach(session -> notifier.close(session, SubscriptionMeters.Closing.LOST, end.reason()));
            return max;
        };
    }

    /** Delivery that can be cut. Confined to the event loop. */
    @FunctionalInterface
    private interface Delivery {

        /** Does a part of it, of at most about so much work. Returns how much is left of that; -1 if there is more to do. */
        int run(int max);
    }

    /** Delivery of one text to several subscriptions. Confined to the event loop. */
    private static final class ResultDelivery implements Delivery {

        private final Supplier<Collection<Subscription>> chosen;
        private final Function<Subscription, Notifier.Text> made;
        private @Nullable List<Subscription> receivers;
        private int next;

        /** @param made returns the text for all subscriptions of the event loop */
        ResultDelivery(Supplier<Collection<Subscription>> chosen, Function<Subscription, Notifier.Text> made) {
            this.chosen = chosen;
            this.made = made;
        }

        @Override
        public int run(int max) {
            if (receivers == null) {
                receivers = new ArrayList<>(chosen.get());
            }
            int left = max;
            if (next < receivers.size()) {
                try (Notifier.Text text = made.apply(receivers.get(next))) {
                    while (next < receivers.size() && left > 0) {
                        text.send(receivers.get(next++));
                        left -= DeliveryTurns.NOTIFICATION;
                    }
                }
            }
            return next == receivers.size() ? Math.max(0, left) : -1;
        }
    }

    /** Delivery of the logs of one block, one log after the other. Confined to the event loop. */
    private final class LogDelivery implements Delivery {

        private final Delivered.Logs event;
        private int next;
        /** The rest of the delivery of the log before. */
        private @Nullable ResultDelivery log;

        LogDelivery(Delivered.Logs event) {
            this.event = event;
        }

        @Override
        public int run(int max) {
            int left = max;
            while (left > 0) {
                if (log != null) {
                    left = log.run(left);
                    log = left < 0 ? log : null;
                } else if (next == event.logs().size() || !open.wantsLogs()) {
                    return left;
                } else {
                    // The newest log is taken back first.
                    int index = event.removed() ? event.logs().size() - 1 - next : next;
                    next++;
                    left = Math.max(0, left - match(index));
                }
            }
            return -1;
        }

        /** Finds the receivers of a log. Returns the work that this took. */
        private int match(int index) {
            List<Subscription> receivers = new ArrayList<>();
            int compared = open.match(event.logs(), index, subscription -> {
                if (subscription.joined() < event.sequence()) {
                    receivers.add(subscription);
                }
            });
            if (!receivers.isEmpty()) {
                byte[] text = event.removed()
                        ? event.logs().removedText(index)
                        : event.logs().text(index);
                log = new ResultDelivery(() -> receivers, any -> notifier.text(text, any));
            }
            return LOOKUP + compared;
        }
    }

    /**
     * Deliveries of one event loop, which take effect in the order in which they come. A long one is cut into turns of the event loop,
     * so that its sockets are looked at between them. Confined to that event loop, except for {@link #submit}.
     */
    private static final class DeliveryTurns {

        private static final RateLimitedLogger LOG =
                new RateLimitedLogger(LoggerFactory.getLogger(LoopSubscriptions.class));

        /** Work of one notification, in comparisons of a log with criteria. */
        static final int NOTIFICATION = 16;

        /** Work that is done in one turn of the event loop. */
        private static final int PER_TURN = 512 * NOTIFICATION;

        private final EventLoop loop;
        private final Queue<Delivery> waiting = new ArrayDeque<>();
        private boolean running;

        DeliveryTurns(EventLoop loop) {
            this.loop = loop;
        }

        /** Runs a delivery behind all that were submitted before. Thread-safe. */
        void submit(Delivery delivery) {
            if (!loop.isShuttingDown()) {
                loop.execute(() -> add(delivery));
            }
        }

        private void add(Delivery delivery) {
            waiting.add(delivery);
            if (!running) {
                run();
            }
        }

        private void run() {
            running = true;
            int left = PER_TURN;
            while (!waiting.isEmpty() && left > 0) {
                int rest = rest(waiting.element(), left);
                if (rest >= 0) {
                    waiting.remove();
                }
                left = Math.min(left - NOTIFICATION, rest);
            }
            running = !waiting.isEmpty();
            if (running && !loop.isShuttingDown()) {
                // Scheduled instead of executed, because a loop runs all executed tasks before it looks at its sockets.
                loop.schedule(this::run, 0, TimeUnit.NANOSECONDS);
            }
        }

        private static int rest(Delivery delivery, int max) {
            try {
                return delivery.run(max);
            } catch (RuntimeException | Error e) {
                LOG.warn("subscriptions: an event was not delivered", e);
                return max;
            }
        }
    }
}
