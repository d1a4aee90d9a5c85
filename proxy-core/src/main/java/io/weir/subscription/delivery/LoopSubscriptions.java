package io.weir.subscription.delivery;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.RpcError;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.ClientSession;
import io.weir.subscription.log.LogCriteria;
import io.weir.subscription.log.LogIndex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions of one network's clients whose connections share an event loop. Events and new subscriptions take effect in the
 * order in which they come; a long delivery is cut into turns of the event loop. Confined to that event loop, except for
 * {@link #submit}.
 */
public final class LoopSubscriptions {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(LoopSubscriptions.class));

    /** Notifications that are written in one turn of the event loop. */
    private static final int PER_TURN = 512;

    private static final String METHOD = "eth_subscribe";

    private final EventLoop loop;
    private final SubscriptionOwner owner;
    private final Notifier notifier;
    /** Those without criteria, by kind. */
    private final Map<SubscriptionKind, Set<Subscription>> byKind = new EnumMap<>(SubscriptionKind.class);

    private final LogIndex<Subscription> logs = new LogIndex<>();
    private final IdentityHashMap<ClientSession, Map<String, Subscription>> sessions = new IdentityHashMap<>();
    private final Queue<Turn> turns = new ArrayDeque<>();
    private boolean running;

    /** Work that takes effect in order. */
    @FunctionalInterface
    private interface Turn {

        /** Does a part of it, of at most so many notifications. Returns whether it is done. */
        boolean run(int max);
    }

    /** Creates the subscriptions of an event loop, without any. */
    public LoopSubscriptions(
            EventLoop loop, SubscriptionConfig config, SubscriptionOwner owner, SubscriptionMeters meters) {
        this.loop = loop;
        this.owner = owner;
        this.notifier = new Notifier(config, meters);
    }

    /** Delivers an event. Thread-safe. */
    public void submit(Delivered event) {
        execute(() -> add(turn(event)));
    }

    /** Runs an action behind all events that were submitted before. Thread-safe. */
    public void submit(Runnable action) {
        execute(() -> add(max -> {
            action.run();
            return true;
        }));
    }

    private void execute(Runnable task) {
        if (!loop.isShuttingDown()) {
            loop.execute(task);
        }
    }

    private void add(Turn turn) {
        turns.add(turn);
        if (!running) {
            run();
        }
    }

    private void run() {
        running = true;
        int left = PER_TURN;
        while (!turns.isEmpty() && left > 0) {
            int before = notifier.sent();
            if (isDone(turns.element(), left)) {
                turns.remove();
            }
            left -= Math.max(1, notifier.sent() - before);
        }
        running = !turns.isEmpty();
        if (running) {
            execute(this::run);
        }
    }

    private static boolean isDone(Turn turn, int max) {
        try {
            return turn.run(max);
        } catch (RuntimeException | Error e) {
            LOG.warn("subscriptions: an event was not delivered", e);
            return true;
        }
    }

    /** Returns the number of subscriptions of a connection. */
    public int count(ClientSession session) {
        Map<String, Subscription> own = sessions.get(session);
        return own == null ? 0 : own.size();
    }

    /** Adds a subscription. Events after this one reach it. */
    public void add(Subscription subscription) {
        ClientSession session = subscription.session();
        Map<String, Subscription> own = sessions.get(session);
        if (own == null) {
            own = new HashMap<>(4);
            sessions.put(session, own);
            session.whenClosed(() -> closed(session));
            session.whenReadmitted(caller -> readmitted(session, caller));
        }
        own.put(subscription.id(), subscription);
        LogCriteria criteria = subscription.criteria();
        if (criteria == null) {
            ofKind(subscription.kind()).add(subscription);
        } else {
            logs.add(criteria, subscription);
        }
    }

    private Set<Subscription> ofKind(SubscriptionKind kind) {
        return byKind.computeIfAbsent(kind, key -> new LinkedHashSet<>());
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
    public void send(Subscription subscription, byte[] result) {
        if (has(subscription)) {
            try (Notifier.Text text = notifier.text(result, subscription)) {
                text.send(subscription);
            }
        }
    }

    private boolean has(Subscription subscription) {
        Map<String, Subscription> own = sessions.get(subscription.session());
        return own != null && own.containsKey(subscription.id());
    }

    /** Ends a subscription with a notification of the error. */
    public void fail(Subscription subscription, RpcError error) {
        if (!has(subscription)) {
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
        Map<String, Subscription> own = sessions.get(session);
        Subscription subscription = own == null ? null : own.remove(id);
        if (subscription != null) {
            end(subscription);
        }
        return subscription != null;
    }

    private void closed(ClientSession session) {
        Map<String, Subscription> own = sessions.remove(session);
        if (own != null) {
            own.values().forEach(this::end);
        }
    }

    /** Goes on with the subscriptions of a client whose key still has the right to them. */
    private void readmitted(ClientSession session, Caller caller) {
        Map<String, Subscription> own = sessions.get(session);
        if (own == null || own.isEmpty()) {
            return;
        }
        if (caller.mayCall(METHOD)) {
            own.values().forEach(subscription -> subscription.rate(caller.rate()));
        } else {
            notifier.revoke(session);
        }
    }

    private void end(Subscription subscription) {
        subscription.end();
        LogCriteria criteria = subscription.criteria();
        if (criteria == null) {
            ofKind(subscription.kind()).remove(subscription);
        } else {
            logs.remove(criteria, subscription);
        }
        owner.ended(subscription);
    }

    private Turn turn(Delivered event) {
        if (event instanceof Delivered.Result result) {
            return new ResultTurn(result);
        }
        if (event instanceof Delivered.Failure failure) {
            return max -> {
                List.copyOf(ofKind(failure.kind())).forEach(one -> fail(one, failure.error()));
                return true;
            };
        }
        if (event instanceof Delivered.Logs of) {
            return new LogTurn(of);
        }
        Delivered.End end = (Delivered.End) event;
        return max -> {
            end(end.kind(), end.reason());
            return true;
        };
    }

    private void end(@Nullable SubscriptionKind kind, String reason) {
        for (Map.Entry<ClientSession, Map<String, Subscription>> entry : List.copyOf(sessions.entrySet())) {
            boolean has = kind == null
                    || entry.getValue().values().stream().anyMatch(subscription -> subscription.kind() == kind);
            if (has) {
                notifier.close(entry.getKey(), SubscriptionMeters.Closing.LOST, reason);
            }
        }
    }

    /** Delivery of one result to all subscriptions of a kind. Confined to the event loop. */
    private final class ResultTurn implements Turn {

        private final Delivered.Result event;
        private @Nullable List<Subscription> receivers;
        private int next;

        ResultTurn(Delivered.Result event) {
            this.event = event;
        }

        @Override
        public boolean run(int max) {
            if (receivers == null) {
                receivers = new ArrayList<>(ofKind(event.kind()));
            }
            int end = Math.min(receivers.size(), next + max);
            if (next < end) {
                try (Notifier.Text text = notifier.text(event.result(), receivers.get(next))) {
                    while (next < end) {
                        text.send(receivers.get(next++));
                    }
                }
            }
            return next == receivers.size();
        }
    }

    /** Delivery of the logs of one block, one log after the other. Confined to the event loop. */
    private final class LogTurn implements Turn {

        private final Delivered.Logs event;
        private int next;

        LogTurn(Delivered.Logs event) {
            this.event = event;
        }

        @Override
        public boolean run(int max) {
            int size = event.logs().size();
            int end = notifier.sent() + max;
            if (logs.size() == 0) {
                return true;
            }
            for (int looked = 0; next < size && notifier.sent() < end && looked < max; looked++) {
                // The newest log is taken back first.
                int index = event.removed() ? size - 1 - next : next;
                next++;
                send(index);
            }
            return next == size;
        }

        private void send(int index) {
            List<Subscription> receivers = new ArrayList<>();
            logs.match(event.logs(), index, subscription -> {
                if (subscription.joined() < event.sequence()) {
                    receivers.add(subscription);
                }
            });
            if (receivers.isEmpty()) {
                return;
            }
            byte[] log = event.removed()
                    ? event.logs().removedText(index)
                    : event.logs().text(index);
            try (Notifier.Text text = notifier.text(log, receivers.get(0))) {
                receivers.forEach(text::send);
            }
        }
    }
}
