package io.weir.subscription.stream;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A chain with branches, nodes that give its blocks or fail, and their time. Confined to one thread. */
final class SimulatedNodes implements StreamSource, StreamTimer {

    private final Random random;
    private final Map<String, BlockLink> blocks = new HashMap<>();
    private final List<BlockLink> canonical = new ArrayList<>();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    /** The numbers of the blocks that were requested, in this order. */
    private final List<Long> requested = new ArrayList<>();

    private long now = 1;
    private long order;
    private int salt;
    private int percentFailing;
    private boolean forgets;
    private boolean atOnce;

    private record Task(long at, long order, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    SimulatedNodes(Random random) {
        this.random = random;
        mine(1);
    }

    /** Share of the requests that fail. */
    void fail(int percent) {
        percentFailing = percent;
    }

    /** Whether nodes know only canonical blocks. */
    void forget(boolean on) {
        forgets = on;
    }

    /** Answers before the request returns. */
    void answerAtOnce() {
        atOnce = true;
    }

    int fetches() {
        return requested.size();
    }

    List<Long> requested() {
        return requested;
    }

    void mine(int count) {
        for (int i = 0; i < count; i++) {
            String parent = canonical.isEmpty() ? hash(0, 0) : head().hash();
            BlockLink block = new BlockLink(canonical.size(), hash(canonical.size(), ++salt), parent);
            canonical.add(block);
            blocks.put(block.hash(), block);
        }
    }

    /** Replaces the newest blocks. */
    void fork(int depth, int count) {
        canonical.subList(canonical.size() - depth, canonical.size()).clear();
        mine(count);
    }

    private static String hash(long number, int salt) {
        return "0x%032x%032x".formatted(number, salt);
    }

    BlockLink head() {
        return canonical.get(canonical.size() - 1);
    }

    BlockLink at(int number) {
        return canonical.get(number);
    }

    int size() {
        return canonical.size();
    }

    @Nullable
    BlockLink find(String hash) {
        return blocks.get(hash);
    }

    @Override
    public void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        requested.add(number);
        answer(() -> known(blocks.get(hash)), sink);
    }

    @Override
    public void fetchAt(long number, Consumer<@Nullable StreamBlock> sink) {
        requested.add(number);
        answer(() -> number < canonical.size() ? canonical.get((int) number) : null, sink);
    }

    private interface Lookup {
        @Nullable
        BlockLink get();
    }

    private void answer(Lookup lookup, Consumer<@Nullable StreamBlock> sink) {
        Runnable answer = () -> {
            BlockLink block = random.nextInt(100) < percentFailing ? null : lookup.get();
            sink.accept(block == null ? null : new StreamBlock(block, RawJson.of("{}"), -1));
        };
        if (atOnce) {
            answer.run();
        } else {
            after(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(50)), answer);
        }
    }

    private @Nullable BlockLink known(@Nullable BlockLink block) {
        boolean gone = block != null
                && forgets
                && (block.number() >= canonical.size()
                        || !canonical.get((int) block.number()).equals(block));
        return gone ? null : block;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public void after(long nanos, Runnable action) {
        tasks.add(new Task(now + nanos, order++, action));
    }

    /** Lets time pass. */
    void pass(long millis) {
        long until = now + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!tasks.isEmpty() && tasks.element().at() <= until) {
            Task task = tasks.remove();
            now = task.at();
            task.action().run();
        }
        now = until;
    }
}
