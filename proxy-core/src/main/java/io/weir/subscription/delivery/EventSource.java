package io.weir.subscription.delivery;

import io.weir.jsonrpc.RpcReply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of events that all members of a network share: subscriptions and filters. Thread-safe. */
public interface EventSource {

    /**
     * Adds a member.
     *
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     * @param joined receives null, on the event loop of the source and in order with the events, once the source serves the
     *     member; else why it does not, and the member was not added
     */
    void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined);

    void leave(StreamMember member);
}
