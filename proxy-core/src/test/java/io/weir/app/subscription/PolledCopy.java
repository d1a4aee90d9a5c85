package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a client that polls a filter of blocks and one of all logs knows of a chain. Confined to one thread. */
final class PolledCopy {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestChain chain;
    private final BiFunction<String, Object[], JsonNode> client;
    private final String blocks;
    private final String logs;
    private final long start;
    private final Map<String, String> parents = new HashMap<>();
    private final List<String> told = new ArrayList<>();
    private final List<JsonNode> kept = new ArrayList<>();

    /** @param client calls a method and returns the result */
    PolledCopy(TestChain chain, BiFunction<String, Object[], JsonNode> client) {
        this.chain = chain;
        this.client = client;
        this.start = chain.head();
        this.blocks = client.apply("eth_newBlockFilter", new Object[0]).asString();
        this.logs = client.apply("eth_newFilter", new Object[] {Map.of()}).asString();
        assertThat(List.of(blocks, logs)).allMatch(id -> id.matches("0x[0-9a-f]{1,32}"));
    }

    /** Polls until the client knows the chain as it is now, and checks that it learned of it in order. */
    void catchUp() {
        for (long number = 1; number <= chain.head(); number++) {
            parents.put(canonical(number).hash(), canonical(number - 1).hash());
        }
        List<JsonNode> expected = new ArrayList<>();
        for (long number = start + 1; number <= chain.head(); number++) {
            canonical(number).logTexts().forEach(text -> expected.add(JSON.readTree(text)));
        }
        String head = canonical(chain.head()).hash();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            changes(blocks).forEach(hash -> take(hash.asString()));
            changes(logs).forEach(this::takeLog);
            return told.isEmpty()
                    ? chain.head() == start
                    : told.get(told.size() - 1).equals(head);
        });
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            changes(logs).forEach(this::takeLog);
            return kept.equals(expected);
        });
    }

    private JsonNode changes(String id) {
        return client.apply("eth_getFilterChanges", new Object[] {id});
    }

    private void take(String hash) {
        String parent = parents.get(hash);
        assertThat(parent).as("a block that is not of the chain: %s", hash).isNotNull();
        assertThat(told).as("told again").doesNotContain(hash);
        if (told.contains(parent)) {
            while (!told.get(told.size() - 1).equals(parent)) {
                told.remove(told.size() - 1);
            }
        } else if (!told.isEmpty()) {
            assertThat(height(hash)).as("a gap before %s", hash).isLessThanOrEqualTo(height(told.get(0)));
            told.clear();
        }
        told.add(hash);
    }

    private int height(String hash) {
        int height = 0;
        for (String at = hash; at != null; at = parents.get(at)) {
            height++;
        }
        return height;
    }

    private void takeLog(JsonNode log) {
        if (Long.decode(log.get("blockNumber").asString()) <= start) {
            // A fork below the first head.
            return;
        }
        if (log.get("removed").asBoolean()) {
            ((ObjectNode) log).put("removed", false);
            assertThat(kept.remove(kept.size() - 1)).isEqualTo(log);
        } else {
            kept.add(log);
        }
    }

    private TestBlock canonical(long number) {
        return Objects.requireNonNull(chain.state().at(number));
    }
}
