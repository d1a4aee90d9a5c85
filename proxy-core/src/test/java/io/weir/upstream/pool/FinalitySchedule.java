package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.chain.Finality.Anchor;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadMoment;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.head.HeadStage;
import io.weir.pipeline.head.LogTagStage;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.NodeBlocks;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One random schedule of what nodes call final, of heads, of calls and of results. After each step it checks what is published.
 * Confined to one thread.
 */
final class FinalitySchedule {

    private static final NetworkId NETWORK = new NetworkId("net");
    private static final long DEPTH = 64;
    private static final int STEPS = 80;

    /** Who wants to know what is final. */
    enum Demand {
        RESULTS,
        CALLS,
        BOTH
    }

    private enum Habit {
        HONEST,
        LYING,
        LACKING,
        HEAD
    }

    private static final class Member {
        final String id;
        final FakeNode node;
        final Habit habit;
        long lag;
        long finalLag;
        boolean silent;
        /** The highest block that it ever called final. */
        long highest = -1;

        Member(String id, FakeNode node, Habit habit) {
            this.id = id;
            this.node = node;
            this.habit = habit;
        }
    }

    private final List<String> log = new ArrayList<>();
    private final long seed;
    private final Random random;
    private final PoolBench bench = new PoolBench();
    private final List<Member> members = new ArrayList<>();
    private final boolean results;
    private final boolean calls;
    private final List<HeadMoment> moments = new ArrayList<>();
    private final Map<BlockTag, Long> agreed = new EnumMap<>(BlockTag.class);
    private long highestHead = 1_000;
    private long before = -1;
    private long head = 1_000;
    private NetworkHead known;
    private Finality height;
    private FinalityWatch watch;
    private ChainWatch chain;
    private ChainView view;

    FinalitySchedule(long seed, Demand demand) {
        this.seed = seed;
        random = new Random(seed);
        results = demand != Demand.CALLS;
        calls = demand != Demand.RESULTS;
        int count = 1 + random.nextInt(4);
        boolean tiers = random.nextInt(4) == 0;
        for (int i = 0; i < count; i++) {
            Habit habit = random.nextInt(3) > 0 ? Habit.HONEST : Habit.values()[random.nextInt(4)];
            String id = "n" + i;
            FakeNode node = bench.node(id, tiers ? random.nextInt(2) : 0, 1);
            members.add(new Member(id, node, habit));
        }
        boolean lacking = random.nextInt(6) == 0;
        if (lacking) {
            members.replaceAll(one -> new Member(one.id, one.node, Habit.LACKING));
        }
        words();
        bench.setting("kind = ethereum");
        bench.kind = new PlainKind(true, true);
        bench.begin();
        known = bench.pool.head();
        wire();
    }

    private void wire() {
        height = known.finality();
        view = new ChainView();
        NodeBlocks blocks = new NodeBlocks(NETWORK, this::ask, null, BlockIds.ETHEREUM, new ShownBlocks());
        watch = new FinalityWatch(known, bench.ticker::nanoTime);
        chain = new ChainWatch(known, view, height, blocks, 1_000_000_000L, count -> true, bench.ticker::nanoTime);
        chain.start();
        known.tracker().listen(new HeadListener() {
            @Override
            public void rose(long number) {}

            @Override
            public void wentBack(long from, long to) {
                if (to < height.number()) {
                    height.forget();
                    before = -1;
                    log.add("forgot");
                }
                // A block may have been agreed on since the last check, and be lost by this event.
                agreed.replaceAll(
                        (tag, number) -> Math.min(number, height.agreed(tag).number()));
            }
        });
    }

    FinalitySchedule run() {
        for (int step = 0; step < STEPS; step++) {
            step();
            bench.settle();
            check();
        }
        return this;
    }

    private void check() {
        String where = "seed " + seed + ", after " + log.subList(Math.max(0, log.size() - 12), log.size());
        long[] words = members.stream().mapToLong(one -> one.highest).sorted().toArray();
        long word = words[Math.max(0, words.length - 2)];
        highestHead = Math.max(highestHead, head);
        long bound = Math.max(members.size() == 1 ? words[0] : word, highestHead - DEPTH);
        for (BlockTag tag : List.of(BlockTag.SAFE, BlockTag.FINALIZED)) {
            long number = height.agreed(tag).number();
            assertThat(number).as(where).isBetween(agreed.getOrDefault(tag, -1L), bound);
            agreed.put(tag, number);
        }
        long number = height.number();
        assertThat(number).as(where).isBetween(before, bound);
        before = number;
        assertThat(height.settled()).as(where).isLessThanOrEqualTo(number);
        Anchor anchor = height.anchor();
        assertThat(anchor == null ? -1 : anchor.number()).as(where).isLessThanOrEqualTo(number);
        moments.forEach(
                moment -> assertThat(height.numberBefore(moment)).as(where).isLessThanOrEqualTo(number));
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                head += random.nextInt(40);
                words();
            }
            case 2 -> {
                Member one = one();
                one.silent = !one.silent;
                if (one.silent) {
                    one.node.probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT));
                } else {
                    one.node.probeOutcomes.remove("eth_getBlockByNumber");
                }
            }
            case 3 -> {
                one().lag = random.nextInt(3);
                one().finalLag = random.nextInt(3) == 0 ? random.nextInt(30) : 0;
                words();
            }
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    head -= random.nextInt(150);
                    words();
                    known.tracker().outdate();
                }
            }
            case 5, 6, 7 -> {
                bench.pass(random.nextInt(3) == 0 ? 11_000 : random.nextInt(60) * 100);
                details();
            }
            case 8, 9 -> {
                if (calls) {
                    call();
                }
            }
            default -> {
                if (results) {
                    result();
                }
            }
        }
    }

    private Member one() {
        return members.get(random.nextInt(members.size()));
    }

    private void words() {
        for (Member one : members) {
            one.node.head = head - one.lag;
            one.node.finalized = switch (one.habit) {
                case HONEST -> Math.max(0, head - 70 - one.finalLag);
                case LYING -> random.nextInt(4) == 0 ? 1_000_000 : Math.max(0, head - random.nextInt(200));
                case LACKING -> -1;
                case HEAD -> one.node.head;
            };
            one.highest = Math.max(one.highest, one.node.finalized);
        }
    }

    private void details() {
        StringBuilder text = new StringBuilder("details");
        members.forEach(one -> text.append(" | ").append(bench.status(one.id).detail()));
        log.add(text.toString());
    }

    private void call() {
        String tag = random.nextBoolean() ? "safe" : "finalized";
        boolean logs = random.nextBoolean();
        String params = logs
                ? "[{\"fromBlock\":\"0x1\",\"toBlock\":\"" + tag + "\"}]"
                : "[\"0x" + "0".repeat(40) + "\",\"" + tag + "\"]";
        String method = logs ? "eth_getLogs" : "eth_getBalance";
        var facts = MethodCatalogue.ethereum().facts(method);
        CallContext context = context(new RpcCall(RawJson.of("1"), method, RawJson.of(params)));
        try {
            context.checked(facts.params().check(context.call().params()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        Stage node = (sent, sink) -> {
            log.add("sent " + method + ' ' + sent.call().params());
            boolean lacks = String.valueOf(sent.call().params()).contains(tag) && members.get(0).node.finalized < 0;
            sent.trace().answeredBy(members.get(0).id, 1);
            sent.trace().lackedData(lacks);
            sink.accept(
                    lacks
                            ? RpcReply.failure(new RpcError(-32000, tag + " block not found", null))
                            : new RpcReply.Result(RawJson.of("\"0x1\"")));
        };
        Stage stage = logs ? new LogTagStage(known, node) : new HeadStage(facts, known, node);
        stage.handle(context, reply -> log.add("reply " + reply));
        bench.pass(600);
    }

    private CallContext context(RpcCall call) {
        long now = bench.ticker.nanoTime();
        return new CallContext(call, Caller.PROXY, NETWORK, bench.loop, now, now + 10_000_000_000L);
    }

    private void result() {
        switch (random.nextInt(5)) {
            case 0 -> moments.add(known.tracker().now());
            case 1 -> {
                if (random.nextInt(5) == 0) {
                    long number = Math.max(0, head - random.nextInt(120));
                    Member one = one();
                    one.highest = Math.max(one.highest, number);
                    height.namedByStatus(one.id, number);
                    log.add("status " + one.id + ' ' + number + ' ' + published());
                }
            }
            case 2 -> {
                chain.whenFresh(
                        bench.loop, bench.ticker.nanoTime() + 5_000_000_000L, fresh -> log.add("fresh " + fresh));
                bench.pass(600);
                log.add("checked " + view.top() + ' ' + published());
            }
            default -> {
                long number = Math.max(0, head - random.nextInt(100));
                watch.whenKnown(bench.loop, number, () -> log.add("known " + number + ' ' + height.covers(number)));
                bench.pass(600);
                log.add("final " + published());
            }
        }
    }

    private String published() {
        StringBuilder text = new StringBuilder();
        text.append(height.number())
                .append(' ')
                .append(height.anchor())
                .append(" settled ")
                .append(height.settled());
        for (HeadMoment moment : moments.subList(Math.max(0, moments.size() - 3), moments.size())) {
            text.append(" before ")
                    .append(height.numberBefore(moment))
                    .append(height.coveredBefore(moment, head - 64) ? '+' : '-');
        }
        return text.toString();
    }

    private void ask(CallContext context, ReplySink sink) {
        for (Member one : members) {
            if (!one.silent && one.node.outcomeOf(context.call()) instanceof Answered answered) {
                context.trace().answeredBy(one.id, 1);
                sink.accept(answered.reply());
                return;
            }
        }
        sink.accept(RpcReply.unavailable("no node"));
    }
}
