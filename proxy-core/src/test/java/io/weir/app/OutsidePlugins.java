package io.weir.app;

import io.weir.testing.PluginBuilder;

/** Plugins that people outside the project could write: one that behaves, one that does not. */
final class OutsidePlugins {

    private OutsidePlugins() {}

    /** Serves {@code outside_*} and {@code net_version}; has settings, pages, a meter and commands. */
    static PluginBuilder wellBehaved() {
        return PluginBuilder.plugin("outside")
                .version("2.3.4")
                .resource("reference.conf", "plugins.outside { greeting = Hello, inner { size = 1 } }")
                .source("org.example.outside.Pages", PAGES)
                .source("org.example.outside.Outside", """
                package org.example.outside;

                import io.weir.api.*;
                import java.io.PrintStream;
                import java.util.*;
                import java.util.concurrent.*;
                import org.pf4j.Extension;
                import tools.jackson.databind.JsonNode;
                import tools.jackson.databind.node.*;

                @Extension
                public final class Outside implements WeirPlugin {
                    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
                    private volatile PluginContext context;
                    private volatile String greeting = "";

                    @Override
                    public void provision(PluginContext context) {
                        this.context = context;
                        greeting = context.settings().getString("greeting");
                        context.meters().gauge("size", "How large it is", () -> 7);
                    }

                    @Override
                    public List<String> validate() {
                        int size = context.settings().getInt("inner.size");
                        return size > 0 ? List.of() : List.of("inner.size: " + size + " (expected: at least 1)");
                    }

                    @Override
                    public List<MethodHandler> methodHandlers() {
                        return List.of(
                                MethodHandler.of("outside_greet", call -> CompletableFuture.completedFuture(
                                        JSON.stringNode(greeting + ", " + call.params().path(0).asString("you") + "!"))),
                                MethodHandler.of("outside_head", this::head),
                                MethodHandler.of("outside_startHead", call -> context.chain()
                                        .call(call.network(), "eth_blockNumber", JSON.arrayNode())),
                                MethodHandler.of("outside_decline", call -> {
                                    throw new RpcException(-40300, "declined", JSON.arrayNode().add(1));
                                }),
                                MethodHandler.of("net_version", call -> call.chain()
                                        .call(call.network(), "net_version", JSON.arrayNode())
                                        .thenApply(real -> JSON.stringNode("outside of " + real.stringValue()))));
                    }

                    private CompletionStage<JsonNode> head(MethodCall call) {
                        ArrayNode params = JSON.arrayNode().add("0x10").add(false);
                        return call.chain().call(call.network(), "eth_getBlockByNumber", params)
                                .thenApply(block -> JSON.objectNode()
                                        .put("caller", call.caller().name())
                                        .put("network", call.network())
                                        .set("hash", block.path("hash")));
                    }

                    @Override
                    public List<AdminPage> adminPages() {
                        return Pages.all();
                    }

                    @Override
                    public List<PluginCommand> commands() {
                        return List.of(new PluginCommand() {
                            @Override
                            public String name() {
                                return "greet";
                            }

                            @Override
                            public String description() {
                                return "Greets whom it is told to.";
                            }

                            @Override
                            public int run(List<String> arguments, PrintStream out, PrintStream err) {
                                out.println(greeting + ", " + String.join(" and ", arguments) + "!");
                                err.println("greeted");
                                return arguments.size();
                            }
                        });
                    }
                }
                """);
    }

    private static final String PAGES = """
            package org.example.outside;

            import static java.nio.charset.StandardCharsets.UTF_8;

            import io.weir.api.AdminPage;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.function.Function;

            final class Pages {
                private Pages() {}

                static List<AdminPage> all() {
                    return List.of(
                            page("", request -> text(200, Map.of(), "first page")),
                            page("notes", request -> text(
                                    200,
                                    Map.of("X-Verb", request.method()),
                                    request.subPath() + " " + request.query() + " " + new String(request.body(), UTF_8))),
                            page("broken", request -> {
                                throw new IllegalStateException("a secret of the plugin");
                            }),
                            page("split", request -> text(200, Map.of("X-Bad", "a\\r\\nX-Worse: b"), "split")),
                            page("slow", Pages::slow));
                }

                private static CompletionStage<AdminPage.Response> slow(AdminPage.Request request) {
                    CompletableFuture<AdminPage.Response> later = new CompletableFuture<>();
                    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                            .execute(() -> later.complete(text(200, Map.of(), "slow").toCompletableFuture().join()));
                    return later;
                }

                private static CompletionStage<AdminPage.Response> text(int status, Map<String, String> headers, String text) {
                    return CompletableFuture.completedFuture(
                            new AdminPage.Response(status, "text/plain", headers, text.getBytes(UTF_8)));
                }

                private static AdminPage page(
                        String path, Function<AdminPage.Request, CompletionStage<AdminPage.Response>> answer) {
                    return new AdminPage() {
                        @Override
                        public String path() {
                            return path;
                        }

                        @Override
                        public CompletionStage<AdminPage.Response> handle(AdminPage.Request request) {
                            return answer.apply(request);
                        }
                    };
                }
            }
            """;

    /** Serves {@code unruly_*}, each in its own wrong way. */
    static PluginBuilder unruly() {
        return PluginBuilder.plugin("unruly").source("org.example.unruly.Unruly", """
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
                                MethodHandler.of("unruly_raw", call -> done(JSON.rawValueNode(new RawValue("}{\\"x\\":")))),
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
                """);
    }
}
