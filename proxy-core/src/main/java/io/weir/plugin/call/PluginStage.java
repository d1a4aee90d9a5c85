package io.weir.plugin.call;

import io.weir.api.MethodHandler;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Has a plugin's handler answer a call. Whatever the handler does, it does to this call alone. Thread-safe. */
public final class PluginStage implements Stage {

    private final PluginRuntime quarters;
    private final NetworkAccess gates;
    private final MethodHandler handler;
    private final long maxCallMillis;

    /**
     * Adapts a handler.
     *
     * @param maxCallMillis how long a call may take from its arrival, with all extensions
     */
    public PluginStage(PluginRuntime quarters, NetworkAccess gates, MethodHandler handler, long maxCallMillis) {
        this.quarters = quarters;
        this.gates = gates;
        this.handler = handler;
        this.maxCallMillis = maxCallMillis;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        HandlerCall.Deadline deadline = new HandlerCall.Deadline(context, maxCallMillis);
        new GuardedCall<>(quarters, context.loop(), new Handling(context, deadline), deadline::nanos, ending -> {
                    quarters.outcomes().count(ending);
                    context.step(() -> sink.accept(reply(ending)));
                })
                .begin();
    }

    /**
     * The reply to a call that ended.
     *
     * <p>A handler's own error goes out as it is. A bug or a missed deadline is -32603, the code that JSON-RPC has for it, and
     * no other code would be true: the proxy cannot know whether it would repeat. But it goes out with HTTP 200, as the answer
     * of the method that it is: a 503 would have every retrying client and balancer send again a call that a plugin may have
     * carried out. Only where none of the plugin's code ran, 503 says so.
     */
    private RpcReply reply(Ending<RawJson> ending) {
        String plugin = "plugin " + quarters.pluginId() + ": ";
        if (ending instanceof Ending.Value<RawJson> value) {
            return new RpcReply.Result(value.value());
        }
        if (ending instanceof Ending.Refusal<RawJson> refusal) {
            return RpcReply.failure(refusal.error());
        }
        if (ending instanceof Ending.Broken) {
            return RpcReply.failure(ErrorCode.INTERNAL_ERROR.error(plugin + "internal error"));
        }
        if (ending instanceof Ending.Late<RawJson> late && late.begun()) {
            return RpcReply.failure(ErrorCode.INTERNAL_ERROR.error(plugin + "no answer in time"));
        }
        return RpcReply.unavailable(plugin + "too many calls under way");
    }

    private final class Handling implements GuardedCall.Work<JsonNode, RawJson> {

        private final CallContext context;
        private final HandlerCall.Deadline deadline;

        Handling(CallContext context, HandlerCall.Deadline deadline) {
            this.context = context;
            this.deadline = deadline;
        }

        @Override
        public String name() {
            return context.call().method();
        }

        @Override
        public @Nullable CompletionStage<JsonNode> enter() {
            JsonNode params = quarters.trees().params(context.call().params());
            return handler.handle(new HandlerCall(context, params, quarters, gates, deadline));
        }

        @Override
        public RawJson convert(@Nullable JsonNode value) {
            return quarters.trees().text(value);
        }
    }
}
