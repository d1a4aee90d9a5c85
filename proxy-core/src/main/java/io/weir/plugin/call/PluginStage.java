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

/** The stage that calls a plugin's handler. A failure of the handler affects only its own call. Thread-safe. */
public final class PluginStage implements Stage {

    private final PluginRuntime runtime;
    private final NetworkAccess networks;
    private final MethodHandler handler;
    private final long maxCallMillis;

    /**
     * Adapts a handler.
     *
     * @param maxCallMillis time limit for a call from its arrival, with all extensions
     */
    public PluginStage(PluginRuntime runtime, NetworkAccess networks, MethodHandler handler, long maxCallMillis) {
        this.runtime = runtime;
        this.networks = networks;
        this.handler = handler;
        this.maxCallMillis = maxCallMillis;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        HandlerCall.Deadline deadline = new HandlerCall.Deadline(context, maxCallMillis);
        HandlerWork work = new HandlerWork(this, context, context.holder(), deadline);
        new GuardedCall<>(runtime, context.loop(), work, deadline::nanos, ending -> {
                    runtime.outcomes().count(ending);
                    context.step(() -> sink.accept(reply(ending)));
                })
                .begin();
    }

    /**
     * Returns the reply to a call that ended.
     *
     * <p>A handler's own error is sent unchanged. A bug or a missed deadline is -32603, the JSON-RPC code for it. No
     * other code would be correct, because the proxy cannot know whether it would recur. The HTTP status is 200
     * nevertheless, as for any answer of the method. With a 503, retrying clients and balancers would send again a call
     * that a plugin may have executed. Only if none of the plugin's code ran, the status is 503.
     */
    private RpcReply reply(Ending<RawJson> ending) {
        String plugin = "plugin " + runtime.pluginId() + ": ";
        if (ending instanceof Ending.Value<RawJson> value) {
            return new RpcReply.Result(value.value());
        }
        if (ending instanceof Ending.ErrorReply<RawJson> error) {
            return RpcReply.failure(error.error());
        }
        if (ending instanceof Ending.Broken) {
            return RpcReply.failure(ErrorCode.INTERNAL_ERROR.error(plugin + "internal error"));
        }
        if (ending instanceof Ending.Late<RawJson> late && late.begun()) {
            return RpcReply.failure(ErrorCode.INTERNAL_ERROR.error(plugin + "no answer in time"));
        }
        return RpcReply.unavailable(plugin + "too many calls under way");
    }

    /** One call into the handler. Immutable. */
    private record HandlerWork(PluginStage stage, CallContext context, Object caller, HandlerCall.Deadline deadline)
            implements GuardedCall.Work<JsonNode, RawJson> {
        @Override
        public String name() {
            return context.call().method();
        }

        @Override
        public @Nullable CompletionStage<JsonNode> enter() {
            JsonNode params = stage.runtime.trees().params(context.call().params());
            return stage.handler.handle(
                    new HandlerCall(context, caller, params, stage.runtime, stage.networks, deadline));
        }

        @Override
        public RawJson convert(@Nullable JsonNode value) {
            return stage.runtime.trees().text(value);
        }
    }
}
