package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainStage;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.RandomQuestions;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Random clients before a random chain, and what they may be told: an answer that the chain's node would have given at a moment
 * between the last change that the proxy could know of before the call and the call's end. The proxy knows of a change once it
 * was told that the head is doubtful, or has not asked for it within the greatest age; while answers are held back, it may
 * take as long as they do. Confined to one thread.
 */
final class ReorgModel {

    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    final TestChain chain;
    final ChainStage node;
    final CacheFixture weir;
    private final Random random;
    private final RandomQuestions questions;
    private final String name;
    private final List<Moment> moments = new ArrayList<>();
    private final List<Open> open = new ArrayList<>();
    private final Map<AskedCall, ChainAnswer> settled = new LinkedHashMap<>();
    private int deepest;
    private int known;
    private int seen;
    private int steps;
    private int hits;
    private int settledAsked;

    /** What the chain was from a moment on. */
    private record Moment(ChainState state, long nanos, boolean isFork) {}

    /** A call that is not answered yet, and the oldest moments that its answer may be of, and the head that it is about. */
    private record Open(AskedCall call, CacheFixture.Asking asking, int oldest, int oldestHead) {}

    ReorgModel(long seed, Verify verify, Memory memory, SignedTransactions transactions) {
        this.name = "seed " + seed + ", " + verify + ", " + memory;
        this.random = new Random(seed);
        this.chain = new TestChain(seed, transactions, memory);
        this.node = new ChainStage(chain, new Random(seed + 1));
        this.weir = new CacheFixture(node, chain::head, verify, 1);
        this.questions = new RandomQuestions(random, chain);
        chain.mine(150);
        chain.finalize(70);
        note(false);
    }

    int hits() {
        return hits;
    }

    int settledAsked() {
        return settledAsked;
    }

    int deepest() {
        return deepest;
    }

    void run(int count) {
        for (int i = 0; i < count; i++) {
            steps++;
            step(random.nextInt(1000));
            check();
            look();
        }
        calm();
    }

    private void step(int kind) {
        if (kind < 30) {
            boolean many = random.nextInt(20) == 0;
            chain.mine(many ? 60 + random.nextInt(60) : 1 + random.nextInt(2));
            changed(false);
        } else if (kind < 50) {
            int most = (int) Math.min(64, chain.head() - chain.state().finalized());
            fork(1 + random.nextInt(random.nextBoolean() ? 3 : most), random.nextInt(3));
        } else if (kind < 60) {
            chain.finalize(chain.head() - 64 - random.nextInt(30));
            note(false);
        } else if (kind < 120) {
            weir.nowNanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(random.nextInt(8) == 0 ? 15_000 : 1_500));
        } else if (kind < 140) {
            node.hold();
        } else if (kind < 160) {
            node.releaseAll();
        } else if (kind < 400 && node.held() > 0) {
            node.release(random.nextInt(node.held()));
        } else if (kind < 450 && node.held() == 0) {
            settle();
        } else {
            ask(questions.next());
        }
    }

    /** Replaces the newest blocks, and does not always tell. */
    void fork(int depth, int more) {
        deepest = Math.max(deepest, depth);
        chain.fork(depth, more);
        changed(true);
    }

    private void changed(boolean fork) {
        note(fork);
        if (random.nextInt(3) > 0) {
            tell();
        }
    }

    private void note(boolean fork) {
        moments.add(new Moment(chain.state(), weir.nowNanos, fork));
    }

    private void tell() {
        weir.changed();
        known = moments.size() - 1;
    }

    /** With nothing under way and everything known, each answer is what the node says now. */
    void calm() {
        for (int i = 0; i < 24; i++) {
            // What is verified may lead to one more question, and a lookup may wait two seconds for its block.
            node.releaseAll();
            weir.awaitVerified();
        }
        check();
        assertThat(open).as(name).isEmpty();
        tell();
        for (int i = 0; i < 200; i++) {
            ask(questions.next());
            check();
        }
    }

    void ask(AskedCall call) {
        int head = oldest();
        int oldest = Math.max(head, seen);
        open.add(new Open(call, weir.start(call.method(), call.params(), random.nextInt(3)), oldest, head));
        if (!node.isHolding()) {
            weir.awaitVerified();
        }
    }

    private int oldest() {
        int index = moments.size() - 1;
        boolean timeTells = !node.isHolding();
        while (index > known && (!timeTells || moments.get(index).nanos() > weir.nowNanos - MAX_AGE_NANOS)) {
            index--;
        }
        return index;
    }

    /** What the proxy has seen of the chain: its view of it is of a fork's blocks, or of those before. */
    private void look() {
        ChainView view = weir.cache.chain().view();
        String newest = view.hash(view.top());
        for (int i = seen + 1; i < moments.size(); i++) {
            TestBlock block = moments.get(i).state().at(view.top());
            TestBlock before = moments.get(i - 1).state().at(view.top());
            // A fork above the newest block that the proxy has seen leaves no trace in its view.
            boolean replaced = before == null || (block != null && !block.hash().equals(before.hash()));
            if (moments.get(i).isFork()
                    && block != null
                    && replaced
                    && block.hash().equals(newest)) {
                seen = i;
            }
        }
    }

    private void check() {
        for (Open asked : List.copyOf(open)) {
            ChainAnswer answer = asked.asking().answer();
            if (answer != null) {
                open.remove(asked);
                hits += "hit".equals(asked.asking().status()) ? 1 : 0;
                List<ChainState> states = moments.subList(asked.oldestHead(), moments.size()).stream()
                        .map(Moment::state)
                        .toList();
                assertThat(asked.call().isAnsweredBy(answer, states, asked.oldest() - asked.oldestHead()))
                        .as(() -> "%s, step %s: %s was answered %s (%s); the node has it that %s"
                                .formatted(
                                        name,
                                        steps,
                                        asked.call(),
                                        answer,
                                        asked.asking().status(),
                                        asked.call().now(chain.state())))
                        .isTrue();
            }
        }
    }

    /** What is final stays, and costs no call any more, whatever happened to the blocks above it. */
    private void settle() {
        // What is still to be asked for the calls before is theirs.
        weir.awaitVerified();
        settled.forEach((call, answer) -> {
            int before = node.calls();
            CacheFixture.Asking asking = weir.start(call.method(), call.params(), 0);
            assertThat(asking.answer()).as("%s, step %s: %s", name, steps, call).isEqualTo(answer);
            assertThat(node.calls())
                    .as("%s, step %s: calls for %s, which is final", name, steps, call)
                    .isEqualTo(before);
            settledAsked++;
        });
        long number = chain.state().finalized() - random.nextInt(60);
        if (settled.size() < 40 && number >= 0 && !node.isHolding()) {
            // That its block is final must be known before, not just true.
            weir.nowNanos += TimeUnit.SECONDS.toNanos(11);
            tell();
            ask(new AskedCall("eth_getBalance", "[\"0x" + "%040x".formatted(steps) + "\",\"latest\"]"));
            AskedCall call = new AskedCall("eth_getBlockByNumber", "[\"0x" + Long.toHexString(number) + "\",true]");
            ask(call);
            CacheFixture.Asking again = weir.start(call.method(), call.params(), 0);
            if ("hit".equals(again.status())) {
                settled.put(call, again.answer());
            }
        }
    }
}
