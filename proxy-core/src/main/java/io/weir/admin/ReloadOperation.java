package io.weir.admin;

import io.netty.channel.EventLoop;
import io.weir.api.AdminPage.Response;
import io.weir.config.load.ConfigChanges;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /reload}: reads the configuration anew. The answer says what changed, or why nothing did. Thread-safe. */
record ReloadOperation(Reload reload) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Does what an authorised request asks for. The sink gets the response on the loop. */
    void handle(EventLoop loop, Consumer<Response> sink) {
        reload.request(Reload.Cause.OPERATION).thenAccept(result -> loop.execute(() -> sink.accept(response(result))));
    }

    private static Response response(Reload.Result result) {
        ObjectNode json = JSON.createObjectNode();
        write(json, result);
        if (!result.problems().isEmpty()) {
            add(json, "problems", result.problems());
        }
        int status = switch (result.outcome()) {
            case APPLIED, UNCHANGED -> 200;
            case REFUSED -> 422;
            case ABANDONED -> 503;
        };
        return AdminResponses.json(status, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
    }

    /** Writes a result without the problems, which only operators may see. */
    static void write(ObjectNode json, Reload.Result result) {
        json.put("outcome", result.outcome().label());
        json.put("cause", result.cause().label());
        json.put("at", result.at().toString());
        if (!result.problems().isEmpty()) {
            json.put("problemCount", result.problems().size());
            return;
        }
        ConfigChanges changes = result.changes();
        names(json.putObject("networks"), changes.networks());
        names(json.putObject("keys"), changes.keys());
        add(json, "settings", changes.settings());
        add(json, "needsRestart", changes.restart());
    }

    private static void names(ObjectNode json, ConfigChanges.Names names) {
        add(json, "added", names.added());
        add(json, "changed", names.changed());
        add(json, "removed", names.removed());
    }

    private static void add(ObjectNode json, String name, List<String> texts) {
        ArrayNode list = json.putArray(name);
        texts.forEach(list::add);
    }
}
