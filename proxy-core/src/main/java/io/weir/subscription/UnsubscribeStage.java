package io.weir.subscription;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SessionRequest;
import io.weir.pipeline.Stage;

/** Stage that ends a subscription of the call's connection. No notification follows its answer. Thread-safe. */
final class UnsubscribeStage implements Stage {

    private static final RpcReply ENDED = new RpcReply.Result(RawJson.of("true"));

    private final NetworkSubscriptions subscriptions;
    private final SubscriptionDialect dialect;

    UnsubscribeStage(NetworkSubscriptions subscriptions, SubscriptionDialect dialect) {
        this.subscriptions = subscriptions;
        this.dialect = dialect;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        SessionRequest session = context.session();
        if (session == null) {
            sink.accept(SubscribeStage.NO_SESSION);
            return;
        }
        String id = dialect.id(context.call());
        if (id == null) {
            sink.accept(dialect.missingId(context.call()));
        } else {
            sink.accept(subscriptions.unsubscribe(session.session(), id) ? ENDED : dialect.unknownId());
        }
    }
}
