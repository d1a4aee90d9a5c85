package org.example.outside;

import io.weir.api.*;
import io.weir.api.setting.*;
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
    private volatile Settings settings;

    /** The settings. */
    record Settings(
            @About("What comes before a name.") @Setting(value = "Hello", pattern = ".+", rule = "a text") String greeting,
            @About("How large it is.") @Setting(path = "inner.size", value = "1", range = "0 to 9") int size) {}

    @Override
    public void provision(PluginContext context) {
        this.context = context;
        settings = context.settings(Settings.class);
        context.meters().gauge("size", "How large it is", () -> 7);
    }

    @Override
    public List<String> validate() {
        int size = settings.size();
        return size > 0 ? List.of() : List.of("inner.size: " + size + " (expected: at least 1)");
    }

    @Override
    public List<MethodHandler> methodHandlers() {
        return List.of(
                MethodHandler.of("outside_greet", call -> CompletableFuture.completedFuture(
                        JSON.stringNode(settings.greeting() + ", " + call.params().path(0).asString("you") + "!"))),
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
        return List.of(
                command("greet", "Greets whom it is told to.", (arguments, out, err) -> {
                    out.println(settings.greeting() + ", " + String.join(" and ", arguments) + "!");
                    err.println("greeted");
                    return arguments.size();
                }),
                command("fail", "Fails.", (arguments, out, err) -> {
                    throw new java.io.IOException("no paper left\nsaid the printer");
                }));
    }

    private interface Body {
        int run(List<String> arguments, PrintStream out, PrintStream err) throws Exception;
    }

    private static PluginCommand command(String name, String description, Body body) {
        return new PluginCommand() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String description() {
                return description;
            }

            @Override
            public int run(List<String> arguments, PrintStream out, PrintStream err) throws Exception {
                return body.run(arguments, out, err);
            }
        };
    }
}
