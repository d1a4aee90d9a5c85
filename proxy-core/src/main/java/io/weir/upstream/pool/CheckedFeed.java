package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.api.SubscriptionForm;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.JsonObject;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Subscription at a node, over a connection of its own. Another node may be behind the address than for calls, so the chain is
 * checked over this connection first. Confined to its event loop.
 */
final class CheckedFeed implements NodeFeed, NodeSubscription.Listener {

    private static final NameTable PARAMS = NameTable.of(Set.of("params"));
    private static final NameTable METHOD = NameTable.of(Set.of("method"));
    private static final NameTable RESULT = NameTable.of(Set.of("result"));

    private final Node node;
    private final HealthProbe probe;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final int maxBytes;
    private final Names names;
    private final RpcCall call;
    private final Listener listener;
    private @Nullable NodeSubscription connection;
    /** The node's name of the subscription; null if there is none. */
    private @Nullable RawJson name;

    /**
     * Names in the notifications of a network. Immutable.
     *
     * @param id the member with the node's name of the subscription
     * @param reorganisation the method that tells of blocks that are no longer canonical, as it stands in JSON; null if there is none
     */
    record Names(NameTable id, @Nullable RawJson reorganisation) {

        /** Returns the names in a form; Ethereum's without one. */
        static Names of(@Nullable SubscriptionForm form) {
            SubscriptionForm known = form == null ? SubscriptionForm.ETHEREUM : form;
            SubscriptionForm.Reorganisation replaced = known.reorganisation();
            return new Names(
                    NameTable.of(Set.of(known.idMember())),
                    replaced == null ? null : RawJson.of('"' + replaced.notification() + '"'));
        }

        boolean isReorganisation(RawJson message) {
            RawJson method = JsonObject.member(message, METHOD);
            return method != null && reorganisation != null && reorganisation.equals(method);
        }
    }

    /** @param maxBytes the longest notification */
    CheckedFeed(
            Node node,
            HealthProbe probe,
            EventLoop loop,
            LongSupplier clock,
            int maxBytes,
            Names names,
            RpcCall call,
            Listener listener) {
        this.node = node;
        this.probe = probe;
        this.loop = loop;
        this.clock = clock;
        this.maxBytes = maxBytes;
        this.names = names;
        this.call = call;
        this.listener = listener;
    }

    /** Begins to subscribe. Returns false if the node has no address for that. */
    boolean open() {
        connection = node.client().subscribe(loop, this);
        if (connection != null) {
            loop.execute(this::check);
        }
        return connection != null;
    }

    private void check() {
        probe.run(
                (on, asked, deadlineNanos, cause, taker) ->
                        ask(asked, deadlineNanos, outcome -> taker.accept(node.judgedProbe(asked, outcome))),
                loop,
                new HealthProbe.Questions(true, false, true),
                deadlineNanos(),
                this::checked);
    }

    private long deadlineNanos() {
        return clock.getAsLong() + HealthProbe.TIMEOUT_NANOS;
    }

    private void checked(HealthProbe.Result result) {
        if (result instanceof HealthProbe.Result.Good good) {
            ask(call, deadlineNanos(), outcome -> took(node.judgedSubscription(call, outcome), good.head()));
        } else {
            end(result instanceof HealthProbe.Result.WrongChain, null);
        }
    }

    /** Sends a call, unless the subscription has ended. */
    private void ask(RpcCall asked, long deadlineNanos, Consumer<NodeOutcome> taker) {
        NodeSubscription open = connection;
        NodeOutcome refused = open == null ? null : node.takeProbe(asked);
        if (refused != null) {
            taker.accept(refused);
        } else if (open != null) {
            node.countSent(asked, CallCause.FOLLOWER);
            open.ask(asked, deadlineNanos, outcome -> {
                if (connection != null) {
                    taker.accept(outcome);
                }
            });
        }
    }

    private void took(NodeOutcome outcome, long head) {
        RpcReply reply = outcome instanceof Answered answered ? answered.reply() : null;
        if (reply instanceof RpcReply.Result result) {
            name = result.value().compact();
            listener.began(head);
        } else {
            end(reply != null, reply instanceof RpcReply.Failure failure ? failure : null);
        }
    }

    @Override
    public void notified(RawJson message) {
        RawJson own = name;
        if (!node.takeNotification()) {
            end(false, null);
        } else if (message.length() > maxBytes) {
            end(true, null);
        } else if (own != null) {
            RawJson result = result(message, own);
            if (result == null) {
                // Nothing else was subscribed to.
                end(true, null);
            } else if (names.isReorganisation(message)) {
                listener.reorganised(result);
            } else {
                listener.notified(result);
            }
        }
    }

    /** Returns the result of a notification of this subscription; null if the message is something else. */
    private @Nullable RawJson result(RawJson message, RawJson own) {
        try {
            RawJson params = object(JsonObject.member(message, PARAMS));
            RawJson subscription = params == null ? null : JsonObject.member(params, names.id());
            return params == null || subscription == null || !own.equals(subscription)
                    ? null
                    : JsonObject.member(params, RESULT);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable RawJson object(@Nullable RawJson value) {
        return value != null && value.first() == '{' ? value : null;
    }

    @Override
    public void ended() {
        end(false, null);
    }

    private void end(boolean refused, RpcReply.@Nullable Failure failure) {
        if (connection != null) {
            close();
            listener.ended(new End(refused, failure));
        }
    }

    @Override
    public void close() {
        NodeSubscription open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
