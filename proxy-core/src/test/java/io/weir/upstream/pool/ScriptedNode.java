package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.pool.ScriptedChain.Block;
import io.weir.upstream.pool.ScriptedChain.Tip;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Node in virtual time that sees a {@link ScriptedChain} late, and at times lies, stands still, is silent or restarts. Everything it does
 * depends on its seed and the time alone, never on the number of questions. Confined to one thread.
 */
final class ScriptedNode implements NodeClient {

    /** What a node does for a time. */
    enum Condition {
        GOOD(false),
        SILENT(false),
        FAILS(false),
        STILL(false),
        BEHIND(false),
        HIDES_BLOCKS(false),
        NAMES_HIGHER(true),
        NAMES_FAR_HIGHER(true),
        OWN_BRANCH(true),
        MAKES_UP(true);

        final boolean lies;

        Condition(boolean lies) {
            this.lies = lies;
        }
    }

    record Phase(long fromMillis, long untilMillis, Condition condition, long blocks) {}

    /** Number that it named at a time, with the places of the question and of the answer in the order of both. */
    record Word(long asked, long answered, long millis, long number) {}

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    final String id;
    int tier;
    final List<Phase> phases = new ArrayList<>();
    /** Questions by what they ask for. */
    final Map<String, Integer> questions = new TreeMap<>();
    /** The highest block that it ever had itself. */
    long highest = -1;
    /** Numbers that it named as its head since the test has last cleared them. */
    final List<Word> words = new ArrayList<>();
    /** Since when it has been ready for calls; the largest number if it is not. */
    long readyMillis = Long.MAX_VALUE;

    private long events;
    private long forgotten;

    private final ScriptedChain chain;
    private final EventLoop loop;
    private final long seed;
    private final int latencyMillis;
    private final boolean hasSocket;
    private final List<Tip> own = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private long millis;

    ScriptedNode(String id, ScriptedChain chain, EventLoop loop, Random random, boolean mayLie) {
        this.id = id;
        this.chain = chain;
        this.loop = loop;
        this.seed = random.nextLong();
        this.latencyMillis = 1 + random.nextInt(random.nextInt(5) == 0 ? 300 : 40);
        this.hasSocket = random.nextBoolean();
        plan(random, mayLie);
        see(random);
    }

    private void plan(Random random, boolean mayLie) {
        long from = random.nextInt(4) == 0 ? 0 : random.nextInt(20_000);
        while (from < chain.calmMillis && random.nextInt(8) > 0) {
            List<Condition> conditions = new ArrayList<>(List.of(Condition.values()));
            conditions.removeIf(one -> one == Condition.GOOD || (one.lies && !mayLie));
            Condition condition = conditions.get(random.nextInt(conditions.size()));
            long length = 500 + random.nextInt(random.nextBoolean() ? 4_000 : 40_000);
            long blocks = condition == Condition.NAMES_FAR_HIGHER
                    ? (long) Math.pow(10, 1 + random.nextInt(11))
                    : 1 + random.nextInt(condition == Condition.BEHIND ? 200 : 6);
            phases.add(new Phase(from, Math.min(chain.calmMillis, from + length), condition, blocks));
            from += length + random.nextInt(20_000);
        }
    }

    /** Draws when the node has which block. */
    private void see(Random random) {
        int usual = 1 + random.nextInt(random.nextInt(3) == 0 ? chain.blockMillis : 200);
        long last = -1;
        Block made = null;
        for (Tip tip : chain.tips) {
            long late =
                    1 + random.nextInt(usual) + (random.nextInt(30) == 0 ? random.nextInt(3 * chain.blockMillis) : 0);
            last = tip.millis() < 0 ? -1 : Math.max(last + 1, tip.millis() + late);
            Phase phase = phase(last);
            Condition condition = phase == null ? Condition.GOOD : phase.condition();
            Block block = tip.block();
            if (phase != null && condition == Condition.STILL) {
                continue;
            } else if (phase != null && condition == Condition.BEHIND) {
                Block behind = block.at(Math.max(0, block.number() - phase.blocks()));
                block = behind == null ? block : behind;
            } else if (phase != null && condition == Condition.OWN_BRANCH) {
                made = chain.child(made == null ? lastOwn(block) : made, last);
                block = made;
            } else if (phase != null && condition == Condition.MAKES_UP) {
                Block parent = block;
                for (int i = 0; i < phase.blocks(); i++) {
                    parent = chain.child(parent, last);
                }
                block = parent;
            } else {
                made = null;
            }
            own.add(new Tip(last, block));
        }
    }

    private Block lastOwn(Block other) {
        return own.isEmpty() ? other : own.get(own.size() - 1).block();
    }

    /** Returns what the node does at a time; null if it is good. */
    private @Nullable Phase phase(long at) {
        for (Phase phase : phases) {
            if (phase.fromMillis() <= at && at < phase.untilMillis()) {
                return phase;
            }
        }
        return null;
    }

    Condition condition() {
        Phase phase = phase(millis);
        return phase == null ? Condition.GOOD : phase.condition();
    }

    boolean everLies() {
        return phases.stream().anyMatch(phase -> phase.condition().lies);
    }

    /** Returns whether it ever shows blocks that it has made up. */
    boolean inventsBlocks() {
        return phases.stream()
                .anyMatch(
                        phase -> phase.condition() == Condition.OWN_BRANCH || phase.condition() == Condition.MAKES_UP);
    }

    /** Schedules the announcements of its blocks, and the ends of its connections. */
    void start() {
        for (Tip tip : own) {
            long drawn = draw(tip.millis(), 1_000);
            if (tip.millis() < 0 || drawn < 30) {
                continue;
            }
            long late = drawn < 60 ? draw(tip.millis() + 1, 5_000) : draw(tip.millis() + 2, 20);
            loop.schedule(() -> announce(tip.block()), tip.millis() + late, TimeUnit.MILLISECONDS);
            if (drawn < 110) {
                loop.schedule(() -> announce(tip.block()), tip.millis() + late + 5, TimeUnit.MILLISECONDS);
            }
            if (drawn > 980) {
                loop.schedule(this::breakSockets, tip.millis() + late, TimeUnit.MILLISECONDS);
            }
        }
    }

    private void announce(Block block) {
        Condition condition = condition();
        if (condition != Condition.SILENT && condition != Condition.FAILS) {
            List.copyOf(sockets).forEach(socket -> socket.announce(text(block)));
        }
    }

    private void breakSockets() {
        List.copyOf(sockets).forEach(Socket::end);
    }

    /** Draws a number that depends on the seed and the time alone. */
    private long draw(long at, int bound) {
        return Math.floorMod(new Random(seed * 31 + at).nextLong() >>> 7, (long) bound);
    }

    /** Moves the time forward. */
    void pass(long now) {
        millis = now;
        highest = Math.max(highest, block().number());
    }

    /** Returns the newest block that it has. */
    Block block() {
        Block block = own.get(0).block();
        for (Tip tip : own) {
            if (tip.millis() > millis) {
                break;
            }
            block = tip.block();
        }
        return block;
    }

    /** Returns the number that it names as its head. */
    long head() {
        Phase phase = phase(millis);
        boolean higher = phase != null
                && (phase.condition() == Condition.NAMES_HIGHER || phase.condition() == Condition.NAMES_FAR_HIGHER);
        return block().number() + (higher ? phase.blocks() : 0);
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        respond(call, deadlineNanos, attempt::end);
    }

    private void respond(RpcCall call, long deadlineNanos, Consumer<NodeOutcome> sink) {
        String params = String.valueOf(call.params());
        String kind = params.contains("latest") ? "latest" : call.method();
        questions.merge(kind, 1, Integer::sum);
        boolean isHead = kind.equals("latest") || kind.equals("head");
        long asked = ++events;
        long left = Math.max(0, deadlineNanos - millis * NANOS);
        Condition condition = condition();
        long late = latencyMillis / 2 + draw(millis, latencyMillis) + (draw(millis + 7, 200) == 0 ? 1_500 : 0);
        if (condition == Condition.SILENT || late * NANOS > left) {
            loop.schedule(() -> sink.accept(FakeNode.failed(Fault.TIMEOUT)), left, TimeUnit.NANOSECONDS);
        } else if (condition == Condition.FAILS) {
            loop.schedule(() -> sink.accept(FakeNode.failed(Fault.CONNECT)), 1, TimeUnit.MILLISECONDS);
        } else {
            Runnable answers = () -> {
                if (isHead) {
                    words.add(new Word(asked, ++events, millis, kind.equals("head") ? head() : block().number()));
                }
                sink.accept(answer(call.method(), params));
            };
            loop.schedule(answers, late, TimeUnit.MILLISECONDS);
        }
    }

    /** Forgets what it named, and what it will answer to questions asked until now. */
    void forgetWords() {
        words.clear();
        forgotten = events;
    }

    /** Notes whether it is ready for calls. */
    void isReady(boolean now) {
        readyMillis = now ? Math.min(readyMillis, millis) : Long.MAX_VALUE;
    }

    private List<Word> words(long most) {
        return words.stream()
                .filter(word -> word.asked() > forgotten && word.number() <= most)
                .toList();
    }

    /** Returns when it first named at most a number. */
    long firstMillis(long most) {
        return words(most).stream().mapToLong(Word::millis).min().orElse(Long.MAX_VALUE);
    }

    /** Returns whether it named at most a number twice, and was asked again after the first answer. */
    boolean answeredTwice(long most) {
        List<Word> some = words(most);
        long answered = some.stream().mapToLong(Word::answered).min().orElse(Long.MAX_VALUE);
        return some.stream().anyMatch(word -> word.asked() > answered);
    }

    private NodeOutcome answer(String method, String params) {
        return switch (method) {
            case "chain" -> FakeNode.answer("\"1\"");
            case "syncing" -> FakeNode.answer("false");
            case "head" -> FakeNode.answer(Long.toString(head()));
            case "eth_getBlockByNumber" -> byNumber(params);
            case "eth_getBlockByHash" -> byHash(params);
            default -> throw new IllegalArgumentException("method: " + method);
        };
    }

    private NodeOutcome byNumber(String params) {
        if (condition() == Condition.HIDES_BLOCKS) {
            return draw(0, 2) == 0 ? FakeNode.answer("null") : FakeNode.error(-32000);
        }
        if (params.contains("latest")) {
            return FakeNode.answer(text(block()));
        }
        long number = Long.parseLong(params.substring(4, params.indexOf('"', 4)), 16);
        Block newest = block();
        Block found = number > newest.number() ? null : newest.at(number);
        return FakeNode.answer(found == null || found.number() != number ? "null" : text(found));
    }

    private NodeOutcome byHash(String params) {
        Block found = block();
        while (found != null && !params.contains(found.hash())) {
            found = found.parent();
        }
        return FakeNode.answer(found == null || condition() == Condition.HIDES_BLOCKS ? "null" : text(found));
    }

    private static String text(Block block) {
        Block parent = block.parent();
        return "{\"number\":\"0x%x\",\"hash\":\"%s\",\"parentHash\":\"%s\",\"timestamp\":\"0x%x\"}"
                .formatted(
                        block.number(),
                        block.hash(),
                        parent == null ? "0x" + "0".repeat(64) : parent.hash(),
                        block.seconds());
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        if (!hasSocket) {
            return null;
        }
        Socket made = new Socket(listener);
        sockets.add(made);
        return made;
    }

    @Override
    public void close() {}

    /** Connection over which it announces its blocks. */
    private final class Socket implements NodeSubscription {

        private final Listener listener;
        private boolean open;

        Socket(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void ask(RpcCall call, long deadlineNanos, Consumer<NodeOutcome> sink) {
            if (call.method().equals("eth_subscribe")) {
                questions.merge("eth_subscribe", 1, Integer::sum);
                loop.schedule(() -> accept(sink), latencyMillis, TimeUnit.MILLISECONDS);
            } else {
                respond(call, deadlineNanos, sink);
            }
        }

        private void accept(Consumer<NodeOutcome> sink) {
            boolean answers = condition() != Condition.SILENT && condition() != Condition.FAILS;
            open = answers && sockets.contains(this);
            sink.accept(answers ? FakeNode.answer("\"0x5\"") : FakeNode.failed(Fault.TIMEOUT));
        }

        void announce(String block) {
            if (open) {
                listener.notified(RawJson.of("{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":"
                        + "{\"subscription\":\"0x5\",\"result\":" + block + "}}"));
            }
        }

        void end() {
            open = false;
            if (sockets.remove(this)) {
                listener.ended();
            }
        }

        @Override
        public void close() {
            open = false;
            sockets.remove(this);
        }
    }
}
