package io.weir.bench.subscription.node;

import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answer of a node to a call or a batch. Thread-safe. */
final class CallReader {

    private static final JsonMapper JSON = new JsonMapper();

    private CallReader() {}

    /**
     * Returns the answer.
     *
     * @param subscriptions hears of each {@code eth_subscribe} and {@code eth_unsubscribe}
     */
    static String answer(ForkingNode node, byte[] request, Consumer<String> subscriptions) {
        JsonNode body = JSON.readTree(request);
        NodeAnswers answers = node.answers();
        if (!body.isArray()) {
            return one(node, answers, body, subscriptions);
        }
        StringBuilder text = new StringBuilder("[");
        for (JsonNode call : body) {
            text.append(text.length() == 1 ? "" : ",").append(one(node, answers, call, subscriptions));
        }
        return text.append(']').toString();
    }

    private static String one(ForkingNode node, NodeAnswers answers, JsonNode call, Consumer<String> subscriptions) {
        String method = call.path("method").asString("");
        node.called(method);
        String member;
        if (method.equals("eth_subscribe")) {
            subscriptions.accept(method);
            member = "\"result\":\"0x1\"";
        } else if (method.equals("eth_unsubscribe")) {
            subscriptions.accept(method);
            member = "\"result\":true";
        } else {
            member = answers.member(method, call.path("params"));
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + "," + member + "}";
    }
}
