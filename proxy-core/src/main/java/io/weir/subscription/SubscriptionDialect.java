package io.weir.subscription;

import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.subscription.delivery.SubscriptionRequest;
import org.jspecify.annotations.Nullable;

/** What the calls of one kind of network say about subscriptions. Thread-safe. */
interface SubscriptionDialect {

    /** Reads a call that subscribes. */
    SubscriptionRequest read(RpcCall call);

    /** Returns the id in a call that unsubscribes; null if it has none. */
    @Nullable
    String id(RpcCall call);

    /** Returns the reply to a call that unsubscribes without an id. */
    RpcReply.Failure missingId(RpcCall call);

    /** Returns the reply to a call whose id the connection does not have. */
    RpcReply.Failure unknownId();
}
