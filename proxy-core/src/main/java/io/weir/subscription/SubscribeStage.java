package io.weir.subscription;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SessionRequest;
import io.weir.pipeline.Stage;

/** Stage that begins a subscription of the call's connection. Thread-safe. */
final class SubscribeStage implements Stage {

    /** Geth's error over HTTP. */
    static final RpcReply.Failure NO_SESSION =
            RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("notifications not supported"));

    private final NetworkSubscriptions subscriptions;
    private final SubscriptionDialect dialect;

    SubscribeStage(NetworkSubscriptions subscriptions, SubscriptionDialect dialect) {
        this.subscriptions = subscriptions;
        this.dialect = dialect;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        SessionRequest session = context.session();
        if (session == null) {
            sink.accept(NO_SESSION);
            return;
        }
        SubscriptionRequest request = dialect.read(context.call());
        RpcReply.Failure refusal = request.refusal();
        if (refusal != null) {
            sink.accept(refusal);
            return;
        }
        subscriptions.subscribe(
                request, context.caller(), session, context.deadlineNanos(), new NetworkSubscriptions.Sink() {
                    @Override
                    public void subscribed(String id) {
                        context.step(() -> sink.accept(new RpcReply.Result(RawJson.of('"' + id + '"'))));
                    }

                    @Override
                    public void refused(RpcReply.Failure failure) {
                        context.step(() -> sink.accept(failure));
                    }
                });
    }
}
