package org.example.unruly;

import io.weir.api.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import org.pf4j.Extension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.*;
import tools.jackson.databind.util.RawValue;

@Extension
public final class Unruly implements WeirPlugin {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @Override
    public void provision(PluginContext context) {}

    @Override
    public List<MethodHandler> methodHandlers() {
        return List.of(
                MethodHandler.of("unruly_throw", call -> {
                    throw new IllegalStateException("a secret of the plugin");
                }),
                MethodHandler.of("unruly_error", call -> {
                    throw new StackOverflowError();
                }),
                MethodHandler.of("unruly_null", call -> null),
                MethodHandler.of("unruly_nullValue", call -> CompletableFuture.completedFuture(null)),
                MethodHandler.of("unruly_raw", call -> done(JSON.rawValueNode(new RawValue("}{\"x\":")))),
                MethodHandler.of("unruly_deep", call -> done(deep())),
                MethodHandler.of("unruly_cast", call -> cast(CompletableFuture.completedFuture("text"))),
                MethodHandler.of("unruly_forget", call -> new CompletableFuture<>()),
                MethodHandler.of("unruly_hang", call -> hang()));
    }

    private static CompletionStage<JsonNode> done(JsonNode value) {
        return CompletableFuture.completedFuture(value);
    }

    private static JsonNode deep() {
        ArrayNode top = JSON.arrayNode();
        ArrayNode inner = top;
        for (int i = 0; i < 100_000; i++) {
            inner = inner.addArray();
        }
        return top;
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<JsonNode> cast(CompletionStage<?> stage) {
        return (CompletionStage<JsonNode>) stage;
    }

    private static CompletionStage<JsonNode> hang() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                return null;
            }
        }
    }
}
