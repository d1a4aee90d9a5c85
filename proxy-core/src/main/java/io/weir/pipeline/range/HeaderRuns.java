package io.weir.pipeline.range;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.chain.CanonicalLinks;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.metrics.OutOfMemory;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.Anchors.ClaimedBlock;
import io.weir.pipeline.evidence.Anchors.Standing;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.range.HeaderRun.Fact;
import io.weir.upstream.CallCause;
import io.weir.verify.AnswerProof;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Proven headers of one network's final blocks: in memory, in the store behind it, else of nodes. Headers of nodes count if each is the
 * parent of the next one, and if the last one is known as a parent or named by two nodes. Headers of the store count as those of one
 * more node. Thread-safe.
 */
final class HeaderRuns {

    private static final long MAX_BYTES = 32L << 20;

    /** Blocks that may become final at once and have known headers. */
    private static final int MAX_TAKEN = 256;

    /** Calls to nodes for headers at once, and runs that are looked up at once. */
    private static final int AT_ONCE = 16;

    private final VerificationContext verification;
    private final Nodes nodes;
    private final Anchors anchors;
    private final HeaderStore store;
    private final Cache<Long, HeaderRun> runs = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((Long index, HeaderRun run) -> run.size())
            .executor(OutOfMemory::run)
            .build();

    /** The last block whose header was taken when it became final. */
    private long taken = -1;
    /** How often all headers were forgotten. */
    private volatile long forgotten;

    /** Headers of a range. Immutable. */
    record Headers(Map<Long, HeaderRun> runs) {

        /** No header. */
        static final Headers NONE = new Headers(Map.of());

        /** Returns what is known of a block; null if nothing is. */
        @Nullable
        Fact get(long number) {
            HeaderRun run = runs.get(HeaderRun.indexOf(number));
            return run == null ? null : run.get(number);
        }
    }

    HeaderRuns(VerificationContext verification, Nodes nodes, Anchors anchors, HeaderStore store) {
        this.verification = verification;
        this.anchors = anchors;
        this.nodes = nodes;
        this.store = store;
    }

    /**
     * Loads the headers of final blocks.
     *
     * @param above the parent that the proven header behind the last block names; null if that header is not known
     * @param pays returns whether so many calls to nodes may be made
     * @param sink gets the headers on the call's event loop; none if one of them cannot be had
     */
    void load(
            CallContext context, BlockRange blocks, @Nullable Hash32 above, IntPredicate pays, Consumer<Headers> sink) {
        new Load(context, blocks, above, pays, sink).begin();
    }

    /** Takes the headers of blocks that became final. Returns those that are stored with their receipts, or that have none to store. */
    synchronized List<Long> takeFinal(CanonicalLinks links, long number) {
        List<Long> whole = new ArrayList<>();
        List<Fact> headers = new ArrayList<>();
        long least = Math.max(taken, number - MAX_TAKEN);
        for (long at = number; at > least; at--) {
            String hash = links.hash(at);
            // The view may be the word of one node.
            if (hash == null || !hash.equals(verification.known().hash(at))) {
                continue;
            }
            taken = Math.max(taken, at);
            BlockHeader header = verification.known().header(hash);
            if (header != null) {
                Fact fact = Fact.of(header);
                headers.add(fact);
                if (fact.bloom().equals(Bloom.EMPTY) || store.hasReceipts(hash)) {
                    whole.add(at);
                }
            }
        }
        keep(forgotten, Map.of(), headers);
        return whole;
    }

    /** Forgets all headers in memory, because final blocks were replaced. Loads under way keep none. */
    synchronized void forget() {
        taken = -1;
        forgotten++;
        runs.invalidateAll();
    }

    /**
     * Keeps headers, and stores the runs that they complete.
     *
     * @param begun how often all were forgotten before they were proven
     * @param stored runs of the store
     * @return false if all were forgotten since
     */
    private synchronized boolean keep(long begun, Map<Long, HeaderRun> stored, Collection<Fact> headers) {
        if (begun != forgotten) {
            return false;
        }
        runs.putAll(stored);
        byRun(headers).forEach(this::keep);
        return true;
    }

    private static Map<Long, List<Fact>> byRun(Collection<Fact> headers) {
        return headers.stream().collect(Collectors.groupingBy(header -> HeaderRun.indexOf(header.number())));
    }

    private void keep(long index, List<Fact> headers) {
        runs.asMap().compute(index, (key, known) -> {
            HeaderRun run = (known == null ? HeaderRun.empty(index) : known).with(headers);
            if (!store.isUsed()) {
                return run.stored();
            }
            Fact last = run.get(run.last());
            if (last == null || !run.isStorable()) {
                return run;
            }
            store.offer(index, run.last(), last.hash().hex(), run.text());
            return run.stored();
        });
    }

    /** Load of the headers of one range. Confined to the call's event loop. */
    private final class Load {

        private final CallContext context;
        private final BlockRange blocks;
        private final @Nullable Hash32 above;
        private final IntPredicate pays;
        private final Consumer<Headers> sink;
        private final long begun = forgotten;
        private final Map<Long, HeaderRun> held = new HashMap<>();
        /** Runs of the store. Each is linked in itself, and counts once its last block is linked to a proven one. */
        private final Map<Long, HeaderRun> stored = new HashMap<>();

        private final Map<Long, Fetched> fetched = new HashMap<>();
        private final Deque<Long> waiting = new ArrayDeque<>();
        /** Nodes that gave a wrong header or none. They are asked no more. */
        private final Set<String> doubted = new HashSet<>();
        /** The first header of each node that did not fit. */
        private final Map<String, Fact> contradicted = new HashMap<>();

        private int running;
        private boolean starting;
        private boolean failed;

        private record Fetched(Fact fact, String source) {}

        Load(
                CallContext context,
                BlockRange blocks,
                @Nullable Hash32 above,
                IntPredicate pays,
                Consumer<Headers> sink) {
            this.context = context;
            this.blocks = blocks;
            this.above = above;
            this.pays = pays;
            this.sink = sink;
        }

        void begin() {
            for (long index = HeaderRun.indexOf(blocks.from()); index <= HeaderRun.indexOf(blocks.to()); index++) {
                HeaderRun run = runs.getIfPresent(index);
                if (run != null) {
                    held.put(index, run);
                }
                if (!isKnown(index)) {
                    waiting.add(index);
                }
            }
            run(store.isUsed() ? this::find : index -> {}, this::anchorStored);
        }

        private long firstOf(long index) {
            return Math.max(blocks.from(), index * HeaderRun.LENGTH);
        }

        private long lastOf(long index) {
            return Math.min(blocks.to(), index * HeaderRun.LENGTH + HeaderRun.LENGTH - 1);
        }

        /** Returns whether the store or memory has all wanted headers of a run, which are linked to each other. */
        private boolean isKnown(long index) {
            HeaderRun run = base(index);
            return run != null && run.has(firstOf(index), lastOf(index));
        }

        /** Starts a step for each waiting number while few are under way, and goes on when all are done. */
        private void run(Consumer<Long> step, Runnable then) {
            if (starting) {
                return;
            }
            starting = true;
            failed |= context.isClientGone();
            while (running < AT_ONCE && !waiting.isEmpty() && !failed) {
                step.accept(waiting.remove());
            }
            starting = false;
            if (failed || (running == 0 && waiting.isEmpty())) {
                waiting.clear();
                if (running == 0) {
                    then.run();
                }
            }
        }

        private void find(long index) {
            running++;
            long last = index * HeaderRun.LENGTH + HeaderRun.LENGTH - 1;
            store.find(index, last, context, text -> HeaderRun.read(index, text), run -> {
                running--;
                if (run != null) {
                    stored.put(index, run);
                }
                run(this::find, this::anchorStored);
            });
        }

        /** Has a node name the last block of the highest run of the store, unless it is known as a parent. The others are linked to it. */
        private void anchorStored() {
            long index = HeaderRun.indexOf(blocks.to());
            HeaderRun run = stored.get(index);
            Fact last = run == null ? null : run.get(run.last());
            Hash32 parent = run == null ? null : parentOf(run.last() + 1);
            if (last == null || (parent != null && parent.equals(last.hash()))) {
                ask();
                return;
            }
            ClaimedBlock claim = new ClaimedBlock(last.number(), last.hash().hex(), Anchors.STORED);
            anchors.find(context, claim, standing -> {
                if (standing != Standing.CANONICAL) {
                    stored.remove(index);
                }
                ask();
            });
        }

        /** Asks for the headers that are not known. */
        private void ask() {
            for (long index = HeaderRun.indexOf(blocks.from()); index <= HeaderRun.indexOf(blocks.to()); index++) {
                if (!isKnown(index)) {
                    addUnknown(index);
                }
            }
            if (!waiting.isEmpty() && !pays.test(waiting.size() + 1)) {
                sink.accept(Headers.NONE);
                return;
            }
            run(this::ask, this::anchor);
        }

        private void addUnknown(long index) {
            for (long number = firstOf(index); number <= lastOf(index); number++) {
                if (fact(number) == null) {
                    waiting.add(number);
                }
            }
        }

        private void ask(long number) {
            running++;
            Set<String> besides = Set.copyOf(doubted);
            RpcCall call = ChainCalls.blockByNumber(number);
            CallContext sub = context.aside(call, CallCause.VERIFY);
            Stage stage = besides.isEmpty() ? nodes.all() : nodes.without().apply(besides);
            stage.handle(sub, reply -> {
                running--;
                String source = sub.trace().upstreamId();
                Fact fact = source == null ? null : read(number, call, source, reply);
                if (fact != null && source != null) {
                    fetched.put(number, new Fetched(fact, source));
                } else if (source == null || besides.contains(source)) {
                    failed = true;
                } else {
                    doubted.add(source);
                    waiting.add(number);
                }
                run(this::ask, this::anchor);
            });
        }

        private @Nullable Fact read(long number, RpcCall call, String source, RpcReply reply) {
            if (!(reply instanceof RpcReply.Result result)) {
                return null;
            }
            Verification<ProvenBlock> proof = AnswerProof.header(
                    result.value(), null, true, verification.rules().family());
            verification.note(proof, call, true, source);
            ProvenBlock block = proof.value();
            return block == null || block.header().number() != number ? null : Fact.of(block.header());
        }

        private @Nullable Fact fact(long number) {
            Fetched found = fetched.get(number);
            HeaderRun run = found == null ? base(HeaderRun.indexOf(number)) : null;
            return found != null ? found.fact() : run == null ? null : run.get(number);
        }

        /** Returns the run of the store, else of memory; null if there is none. */
        private @Nullable HeaderRun base(long index) {
            HeaderRun run = stored.get(index);
            return run == null ? held.get(index) : run;
        }

        /** Returns the parent that the proven header of a block names; null if that is not known. */
        private @Nullable Hash32 parentOf(long number) {
            if (above != null && number == blocks.to() + 1) {
                return above;
            }
            HeaderRun run = runs.getIfPresent(HeaderRun.indexOf(number));
            Fact fact = run == null ? null : run.get(number);
            return fact == null ? null : fact.parent();
        }

        /** Has other nodes name the last block, if a node gave its header, unless it is known as a parent. */
        private void anchor() {
            Fetched last = fetched.get(blocks.to());
            Hash32 parent = parentOf(blocks.to() + 1);
            if (failed || last == null || parent != null || !anchors.isPossible()) {
                link(parent);
                return;
            }
            ClaimedBlock claim =
                    new ClaimedBlock(blocks.to(), last.fact().hash().hex(), last.source());
            anchors.find(context, claim, standing -> {
                if (standing == Standing.CANONICAL) {
                    link(null);
                } else if (standing == Standing.OTHER) {
                    refuse(blocks.to());
                } else {
                    sink.accept(Headers.NONE);
                }
            });
        }

        /** Compares each header with the parent that the next one names, from the last one on, which is proven unless a parent is given. */
        private void link(@Nullable Hash32 parent) {
            Hash32 expected = parent;
            for (long number = blocks.to(); number >= blocks.from() && !failed; number--) {
                Fact fact = fact(number);
                if (fact == null) {
                    failed = true;
                } else if (expected != null && !expected.equals(fact.hash())) {
                    refuse(number);
                    return;
                } else if (isKnown(HeaderRun.indexOf(number))) {
                    number = firstOf(HeaderRun.indexOf(number));
                    expected = Objects.requireNonNull(fact(number)).parent();
                } else {
                    expected = fact.parent();
                }
            }
            if (failed) {
                sink.accept(Headers.NONE);
            } else {
                end();
            }
        }

        /** Asks others for a wrong header, and for all below it that came from the same place. */
        private void refuse(long number) {
            Fetched wrong = fetched.get(number);
            if (wrong != null) {
                contradicted.putIfAbsent(wrong.source(), wrong.fact());
                doubted.add(wrong.source());
                List<Long> again = fetched.entrySet().stream()
                        .filter(one -> one.getKey() <= number
                                && one.getValue().source().equals(wrong.source()))
                        .map(Map.Entry::getKey)
                        .toList();
                again.forEach(fetched::remove);
                waiting.addAll(again);
                run(this::ask, this::anchor);
                return;
            }
            long index = HeaderRun.indexOf(number);
            if (stored.remove(index) == null) {
                held.remove(index);
                runs.invalidate(index);
            }
            ask();
        }

        private void end() {
            contradicted.forEach((source, fact) -> {
                Fact right = fact(fact.number());
                if (right != null && !right.hash().equals(fact.hash())) {
                    verification
                            .misbehaviour()
                            .outvoted(source, ChainCalls.BLOCK_BY_NUMBER, "block " + fact.number(), true);
                }
            });
            List<Fact> more = fetched.values().stream().map(Fetched::fact).toList();
            boolean kept = keep(begun, stored, more);
            held.putAll(stored);
            byRun(more)
                    .forEach((index, facts) -> held.put(
                            index,
                            held.getOrDefault(index, HeaderRun.empty(index)).with(facts)));
            sink.accept(kept ? new Headers(Map.copyOf(held)) : Headers.NONE);
        }
    }
}
