package io.weir.bench.subscription.anvil;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.KnownChain;
import io.weir.bench.subscription.chain.ReadBlock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chain of several anvils. A model, which the proxy does not know, makes each step first, so that blocks are known before a node
 * shows them. The nodes then repeat the steps. Thread-safe; one thread adds steps.
 */
public final class AnvilChain implements KnownChain {

    private static final JsonNode NO_LOGS = new JsonMapper().createArrayNode();
    private static final AnvilCall LATEST = new AnvilCall("eth_getBlockByNumber", "[\"latest\",false]");
    private static final String EMPTY_BLOOM = "0x" + "0".repeat(512);

    private final AnvilProcess model;
    private final Map<String, Block> byHash = new ConcurrentHashMap<>();
    private final List<Step> steps = new ArrayList<>();
    private volatile Block head;

    /**
     * Calls that each node makes in order. Immutable.
     *
     * @param head the hash of the newest block after them
     */
    record Step(List<AnvilCall> calls, String head) {}

    /** Begins with the first block of a model. */
    public AnvilChain(AnvilProcess model) throws IOException, InterruptedException {
        this.model = model;
        this.head = read(model.call(LATEST), 0, null);
    }

    /** Makes calls at the model and adds them to the steps of the nodes. */
    void add(List<AnvilCall> calls) throws IOException, InterruptedException {
        for (AnvilCall call : calls) {
            model.call(call);
        }
        Deque<JsonNode> unknown = new ArrayDeque<>();
        JsonNode at = model.call(LATEST);
        while (!byHash.containsKey(hash(at))) {
            unknown.push(at);
            at = model.call(new AnvilCall("eth_getBlockByHash", "[" + at.get("parentHash") + ",false]"));
        }
        int event = head.event() + 1;
        Block top = byHash.get(hash(at));
        for (JsonNode block : unknown) {
            top = read(block, event, top);
        }
        if (top != null) {
            head = top;
        }
        synchronized (this) {
            steps.add(new Step(List.copyOf(calls), head.hash()));
            notifyAll();
        }
    }

    private Block read(JsonNode block, int event, @Nullable Block parent) throws IOException, InterruptedException {
        JsonNode logs = block.path("logsBloom").asString().equals(EMPTY_BLOOM)
                ? NO_LOGS
                : model.call(new AnvilCall("eth_getLogs", "[{\"blockHash\":" + block.get("hash") + "}]"));
        Block read = ReadBlock.of(block, logs, event, parent);
        byHash.put(read.hash(), read);
        return read;
    }

    /** Waits for a step and returns it; null if it has not come in time. */
    synchronized @Nullable Step await(int index, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = end - System.nanoTime();
        while (index >= steps.size() && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        return index < steps.size() ? steps.get(index) : null;
    }

    /** Returns the number of steps. */
    synchronized int steps() {
        return steps.size();
    }

    /** Returns whether a node is at the newest block after a step. */
    static boolean isAt(AnvilProcess node, Step step) throws IOException, InterruptedException {
        return hash(node.call(LATEST)).equals(step.head());
    }

    private static String hash(JsonNode block) {
        return block.path("hash").asString();
    }

    @Override
    public Block head() {
        return head;
    }

    @Override
    public @Nullable Block find(String hash) {
        return byHash.get(hash);
    }
}
