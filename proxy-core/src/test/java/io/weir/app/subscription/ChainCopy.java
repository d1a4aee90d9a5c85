package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a client with subscriptions to heads and to all logs knows of a chain. Confined to one thread. */
final class ChainCopy {

    private static final JsonMapper JSON = new JsonMapper();

    private final TestChain chain;
    private final Subscriber client;
    private final String heads;
    private final String logs;
    private final long start;
    private final List<JsonNode> told = new ArrayList<>();
    private final List<JsonNode> kept = new ArrayList<>();

    ChainCopy(TestChain chain, Subscriber client) {
        this.chain = chain;
        this.client = client;
        this.heads = client.subscribe("newHeads");
        this.logs = client.subscribe("logs", JSON.createObjectNode());
        this.start = chain.head();
    }

    /** Waits until the client knows the chain as it is now, and checks that it learned of it in order. */
    void catchUp() {
        String head = canonical(chain.head()).hash();
        while (told.isEmpty()
                || !told.get(told.size() - 1).get("hash").asString().equals(head)) {
            JsonNode next = client.next(heads);
            String parent = next.get("parentHash").asString();
            if (!told.isEmpty() && told.stream().anyMatch(known -> isOf(known, parent))) {
                while (!isOf(told.get(told.size() - 1), parent)) {
                    told.remove(told.size() - 1);
                }
            } else if (!told.isEmpty()) {
                long number = Long.decode(next.get("number").asString());
                assertThat(number)
                        .as("a head whose parent was not told")
                        .isLessThanOrEqualTo(
                                Long.decode(told.get(0).get("number").asString()));
                told.clear();
            }
            told.add(next);
        }
        takeLogs();
    }

    private static boolean isOf(JsonNode header, String hash) {
        return header.get("hash").asString().equals(hash);
    }

    private void takeLogs() {
        List<JsonNode> expected = new ArrayList<>();
        for (long number = start + 1; number <= chain.head(); number++) {
            canonical(number).logTexts().forEach(text -> expected.add(JSON.readTree(text)));
        }
        while (!kept.equals(expected)) {
            JsonNode log = client.next(logs);
            if (Long.decode(log.get("blockNumber").asString()) <= start) {
                // A fork below the first head.
                continue;
            }
            if (log.get("removed").asBoolean()) {
                ((ObjectNode) log).put("removed", false);
                assertThat(kept.remove(kept.size() - 1)).isEqualTo(log);
            } else {
                kept.add(log);
            }
        }
    }

    private TestBlock canonical(long number) {
        TestBlock block = chain.state().at(number);
        if (block == null) {
            throw new IllegalArgumentException("number: " + number + " (expected: at most " + chain.head() + ")");
        }
        return block;
    }
}
