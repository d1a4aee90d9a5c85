package io.weir.subscription.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainView;
import io.weir.chain.Slot;
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

/** A chain with branches, a view of it that may have gaps, nodes that give its blocks or fail, and their time. Confined to one thread. */
final class SimulatedNodes implements ChainStream.Headers, StreamTimer, ChainStream.Links {

    private final ChainView view = new ChainView();

    private final Random random;
    private final Map<String, BlockLink> blocks = new HashMap<>();
    private final List<BlockLink> mined = new ArrayList<>();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    /** The numbers of the blocks that were requested, in this order. */
    private final List<Long> requested = new ArrayList<>();

    private long now = 1;
    private long order;
    private int salt;
    private int percentFailing;
    private boolean forgets;
    private boolean atOnce;
    private long lost = -1;
    private boolean skips;
    private int filled;

    private record Task(long at, long order, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    SimulatedNodes(Random random) {
        this.random = random;
        mine(1);
        view.restart(List.of(head()), "node");
    }

    /** Whether the view skips the blocks between its newest one and a later one, and learns them only when they are asked for. */
    void skip(boolean on) {
        skips = on;
    }

    /** Lets the view go on to the newest block. */
    void show() {
        show(head());
    }

    /** Lets the view go on to a block. */
    void show(BlockLink newest) {
        Slot top = view.at(view.top());
        boolean stays = top != null
                && newest.number() > view.top() + 1
                && mined.get((int) view.top()).equals(top.block());
        if (stays && skips && mined.get((int) newest.number()).equals(newest)) {
            assertThat(view.resume(
                            List.of(newest), "node", view.top(), top.block().hash()))
                    .isTrue();
            return;
        }
        List<BlockLink> branch = new ArrayList<>(List.of(newest));
        while (!view.attach(branch, "node")) {
            BlockLink lowest = branch.get(branch.size() - 1);
            if (lowest.number() <= view.top() + 1 && view.hash(lowest.number() - 1) == null) {
                view.replaceAll(branch, "node", -1);
                return;
            }
            branch.add(blocks.get(lowest.parentHash()));
        }
    }

    @Override
    public CanonicalLinks canonical() {
        return view.links();
    }

    @Override
    public void extend(BlockLink block) {
        view.extend(block);
    }

    @Override
    public void fill(long number, Consumer<Boolean> sink) {
        Runnable answer = () -> {
            for (long at = view.top(); at > number; at--) {
                BlockLink block = view.hash(at) == null ? null : known(blocks.get(view.hash(at)));
                if (block != null && view.at(at) == null && random.nextInt(100) >= percentFailing) {
                    filled++;
                    view.extend(block);
                }
            }
            sink.accept(view.hash(number) != null);
        };
        if (atOnce) {
            answer.run();
        } else {
            after(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(50)), answer);
        }
    }

    /** Share of the requests that fail. */
    void fail(int percent) {
        percentFailing = percent;
    }

    /** Whether nodes know only canonical blocks. */
    void forget(boolean on) {
        forgets = on;
    }

    /** Gives no header of this height. */
    void lose(long number) {
        lost = number;
    }

    /** Answers before the request returns. */
    void answerAtOnce() {
        atOnce = true;
    }

    /** Returns how many headers were requested. */
    int fetches() {
        return requested.size();
    }

    /** Returns how many blocks were added to the view because they were asked for. */
    int filled() {
        return filled;
    }

    List<Long> requested() {
        return requested;
    }

    void mine(int count) {
        for (int i = 0; i < count; i++) {
            String parent = mined.isEmpty() ? hash(0, 0) : head().hash();
            BlockLink block = new BlockLink(mined.size(), hash(mined.size(), ++salt), parent);
            mined.add(block);
            blocks.put(block.hash(), block);
        }
    }

    /** Replaces the newest blocks. */
    void fork(int depth, int count) {
        mined.subList(mined.size() - depth, mined.size()).clear();
        mine(count);
    }

    private static String hash(long number, int salt) {
        return "0x%032x%032x".formatted(number, salt);
    }

    BlockLink head() {
        return mined.get(mined.size() - 1);
    }

    BlockLink at(int number) {
        return mined.get(number);
    }

    int size() {
        return mined.size();
    }

    @Nullable
    BlockLink find(String hash) {
        return blocks.get(hash);
    }

    @Override
    public void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink) {
        requested.add(number);
        answer(() -> number == lost ? null : known(blocks.get(hash)), sink);
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
                && (block.number() >= mined.size()
                        || !mined.get((int) block.number()).equals(block));
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
