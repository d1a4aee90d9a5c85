package io.weir.subscription;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SessionRequest;
import io.weir.pipeline.Stage;

/** Stage that ends a subscription of the call's connection. No notification follows its answer. Thread-safe. */
final class UnsubscribeStage implements Stage {

    private static final RpcReply ENDED = new RpcReply.Result(RawJson.of("true"));
    private static final RpcReply NOT_FOUND = RpcReply.failure(ErrorCode.INVALID_INPUT.error("subscription not found"));

    private final NetworkSubscriptions subscriptions;

    UnsubscribeStage(NetworkSubscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        SessionRequest session = context.session();
        if (session == null) {
            sink.accept(SubscribeStage.NO_SESSION);
            return;
        }
        FirstParam param = FirstParam.of(context.call().params());
        String id = param == null ? null : param.string();
        if (param == null || id == null) {
            sink.accept(FirstParam.refusal(param, "the id of a subscription"));
        } else {
            sink.accept(subscriptions.unsubscribe(session.session(), id) ? ENDED : NOT_FOUND);
        }
    }
}
