package io.weir.plugin;

import io.weir.testing.PluginBuilder;

/** Texts of plugins under test. */
final class PluginSources {

    private static final String PROVISION = """
            @Override
            public void provision(PluginContext context) {
                this.context = context;
            }
            """;

    private PluginSources() {}

    /** A plugin whose entry class {@code test.Entrance} has these members. */
    static PluginBuilder withEntryClass(String id, String members) {
        return PluginBuilder.plugin(id)
                .source(
                        "test.Entrance",
                        """
                package test;

                import io.weir.api.*;
                import java.util.*;
                import java.util.concurrent.*;
                import org.pf4j.Extension;
                import tools.jackson.databind.JsonNode;
                import tools.jackson.databind.node.*;

                @Extension
                public class Entrance implements WeirPlugin {
                    static final JsonNodeFactory JSON = JsonNodeFactory.instance;
                    PluginContext context;

                """ + (members.contains("void provision(") ? "" : PROVISION) + members + "}\n");
    }

    /** A plugin that serves one method with this body, which sees {@code call}. */
    static PluginBuilder serving(String id, String method, String body) {
        return handlers(id, handler(method, body));
    }

    /** An anonymous handler. */
    static String handler(String method, String body) {
        return """
                new MethodHandler() {
                    @Override
                    public Set<String> methods() {
                        return Set.of("%s");
                    }

                    @Override
                    public CompletionStage<JsonNode> handle(MethodCall call) {
                        %s
                    }
                }
                """.formatted(method, body);
    }

    /** A plugin with these handlers. */
    static PluginBuilder handlers(String id, String... handlers) {
        return withEntryClass(id, """
                @Override
                public List<MethodHandler> methodHandlers() {
                    return List.of(%s);
                }
                """.formatted(String.join(", ", handlers)));
    }
}
