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
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Proven headers of one network's final blocks: in memory, in the store behind it, else of nodes. Headers of nodes count if each is the
 * parent of the next one, and if the last one is known as a parent or named by two nodes. Thread-safe.
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
            boolean agreed = hash != null && hash.equals(verification.known().hash(at));
            BlockHeader header = agreed ? verification.known().header(hash) : null;
            if (agreed) {
                taken = Math.max(taken, at);
            }
            if (header != null) {
                Fact fact = Fact.of(header);
                headers.add(fact);
                if (fact.bloom().equals(Bloom.EMPTY) || store.hasReceipts(hash)) {
                    whole.add(at);
                }
            }
        }
        keep(headers);
        return whole;
    }

    /** Forgets all headers in memory, because final blocks were replaced. */
    synchronized void forget() {
        taken = -1;
        runs.invalidateAll();
    }

    /** Keeps headers, and stores the runs that they complete. */
    private Map<Long, HeaderRun> keep(Collection<Fact> headers) {
        Map<Long, HeaderRun> kept = new HashMap<>();
        headers.stream()
                .collect(Collectors.groupingBy(header -> HeaderRun.indexOf(header.number())))
                .forEach((index, more) -> kept.put(index, keep(index, more)));
        return kept;
    }

    private HeaderRun keep(long index, List<Fact> headers) {
        return runs.asMap().compute(index, (key, known) -> {
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
        private final Map<Long, HeaderRun> held = new HashMap<>();
        private final Deque<Long> waiting = new ArrayDeque<>();
        private final TreeMap<Long, Fetched> fetched = new TreeMap<>();
        private int running;
        private boolean starting;
        private boolean failed;
        /** The headers that did not fit, by number; null before others are asked. */
        private @Nullable Map<Long, Fetched> doubted;

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
                if (run == null || !isKnown(index)) {
                    waiting.add(index);
                }
            }
            run(store.isUsed() ? this::find : index -> {}, this::ask);
        }

        private boolean isKnown(long index) {
            long first = Math.max(blocks.from(), index * HeaderRun.LENGTH);
            long last = Math.min(blocks.to(), index * HeaderRun.LENGTH + HeaderRun.LENGTH - 1);
            for (long number = first; number <= last; number++) {
                if (fact(number) == null) {
                    return false;
                }
            }
            return true;
        }

        /** Starts a step for each waiting number while few are under way, and goes on when all are done. */
        private void run(Consumer<Long> step, Runnable then) {
            if (starting) {
                return;
            }
            starting = true;
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
                    held.put(index, run);
                    runs.put(index, run);
                }
                run(this::find, this::ask);
            });
        }

        private void ask() {
            for (long number = blocks.from(); number <= blocks.to(); number++) {
                if (fact(number) == null) {
                    waiting.add(number);
                }
            }
            if (!waiting.isEmpty() && !pays.test(waiting.size() + 1)) {
                sink.accept(Headers.NONE);
                return;
            }
            run(number -> ask(number, nodes.all()), this::link);
        }

        private void ask(long number, Stage stage) {
            running++;
            fetch(number, stage, found -> {
                running--;
                if (found == null) {
                    failed = true;
                } else {
                    fetched.put(number, found);
                }
                run(next -> ask(next, stage), this::link);
            });
        }

        private void fetch(long number, Stage stage, Consumer<@Nullable Fetched> to) {
            RpcCall call = ChainCalls.blockByNumber(number);
            CallContext sub = context.aside(call, CallCause.VERIFY);
            stage.handle(sub, reply -> to.accept(read(number, call, sub, reply)));
        }

        private @Nullable Fetched read(long number, RpcCall call, CallContext sub, RpcReply reply) {
            String source = sub.trace().upstreamId();
            if (!(reply instanceof RpcReply.Result result) || source == null) {
                return null;
            }
            Verification<ProvenBlock> proof = AnswerProof.header(
                    result.value(), null, true, verification.rules().family());
            verification.note(proof, call, true, source);
            ProvenBlock block = proof.value();
            return block == null || block.header().number() != number
                    ? null
                    : new Fetched(Fact.of(block.header()), source);
        }

        private @Nullable Fact fact(long number) {
            Fetched found = fetched.get(number);
            HeaderRun run = held.get(HeaderRun.indexOf(number));
            return found != null ? found.fact() : run == null ? null : run.get(number);
        }

        /** Compares each header with the parent that the next one names. */
        private void link() {
            Set<String> sources = new HashSet<>();
            boolean fits = !failed;
            Hash32 parent = parentOfNext();
            for (long number = blocks.to(); fits && number >= blocks.from(); number--) {
                Fact fact = fact(number);
                if (fact == null || (parent != null && !parent.equals(fact.hash()))) {
                    fits = false;
                    addSource(sources, number);
                    addSource(sources, number + 1);
                } else {
                    parent = fact.parent();
                }
            }
            if (fits) {
                anchor();
            } else if (sources.isEmpty() || doubted != null) {
                sink.accept(Headers.NONE);
            } else {
                askOthers(sources);
            }
        }

        private void addSource(Set<String> sources, long number) {
            Fetched found = fetched.get(number);
            if (found != null) {
                sources.add(found.source());
            }
        }

        /** Returns the parent that the header behind the last one names; null if that is not known. */
        private @Nullable Hash32 parentOfNext() {
            long next = blocks.to() + 1;
            HeaderRun run = above == null ? runs.getIfPresent(HeaderRun.indexOf(next)) : null;
            Fact fact = run == null ? null : run.get(next);
            return fact == null ? above : fact.parent();
        }

        /** Asks for all headers of some nodes again, of others. */
        private void askOthers(Set<String> sources) {
            Map<Long, Fetched> all = new HashMap<>(fetched);
            all.values().removeIf(found -> !sources.contains(found.source()));
            doubted = all;
            fetched.keySet().removeAll(all.keySet());
            waiting.addAll(all.keySet());
            Stage others = nodes.without().apply(sources);
            run(number -> ask(number, others), this::link);
        }

        /** Has other nodes name the last block, unless it is known as a parent. */
        private void anchor() {
            Fetched last = fetched.get(blocks.to());
            if (last == null || parentOfNext() != null || !anchors.isPossible()) {
                end();
                return;
            }
            ClaimedBlock claim =
                    new ClaimedBlock(blocks.to(), last.fact().hash().hex(), last.source());
            anchors.find(context, claim, standing -> {
                if (standing == Standing.CANONICAL) {
                    end();
                } else {
                    sink.accept(Headers.NONE);
                }
            });
        }

        private void end() {
            Objects.requireNonNullElse(doubted, Map.<Long, Fetched>of()).forEach((number, found) -> {
                Fact right = fact(number);
                if (right != null && !right.hash().equals(found.fact().hash())) {
                    verification
                            .misbehaviour()
                            .outvoted(found.source(), ChainCalls.BLOCK_BY_NUMBER, "block " + number, true);
                }
            });
            Map<Long, HeaderRun> completed =
                    keep(fetched.values().stream().map(Fetched::fact).toList());
            fetched.clear();
            held.putAll(completed);
            boolean whole = completed.keySet().stream().allMatch(this::isKnown);
            sink.accept(whole ? new Headers(Map.copyOf(held)) : Headers.NONE);
        }
    }
}
