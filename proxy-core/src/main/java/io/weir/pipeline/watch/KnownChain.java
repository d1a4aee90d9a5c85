package io.weir.pipeline.watch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.answer.ChainFacts;
import io.weir.chain.ChainView;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.chain.Slot;
import io.weir.config.NetworkConfig;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import io.weir.metrics.OutOfMemory;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainFamily.Deviation;
import io.weir.verify.ChainRules;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Facts of one network's chain for judging answers: the hashes on which nodes agree, and the headers of the newest blocks, each
 * proven by its hash. Thread-safe.
 */
public final class KnownChain extends ChainFacts implements HeadListener {

    private static final NameTable TRANSACTIONS = NameTable.of(Set.of("transactions"));

    /** Least time between two doubts about the head. */
    private static final long DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final int MAX_EMPTY_BYTES = 16 << 10;

    private static final NameTable ROOT = NameTable.of(Set.of("transactionsRoot"));
    private static final RawJson EMPTY_ROOT = RawJson.of('"' + TrieRoot.EMPTY.hex() + '"');

    /** Time for which a block is new. */
    private static final long NEW_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** New blocks at most. */
    private static final int MAX_NEW = 16;

    /** Headers that are kept. */
    private static final int MAX_HEADERS = 1_024;

    private final ChainView view;
    private final ChainRules rules;
    private final boolean alone;
    private final LongSupplier clock;
    private final Cache<String, Seen> headers = Caffeine.newBuilder()
            .maximumSize(MAX_HEADERS)
            .executor(OutOfMemory::run)
            .build();
    /** Hashes of the blocks without transactions that clients read a short time ago, by hash and by number. */
    private final Cache<String, String> empty = Caffeine.newBuilder()
            .maximumSize(8_192)
            .expireAfterWrite(1, TimeUnit.MINUTES)
            .executor(OutOfMemory::run)
            .build();

    /** Headers of the blocks that passed to clients, which judge nothing but the receipts and the state of their blocks. */
    private final Cache<String, BlockHeader> passed = Caffeine.newBuilder()
            .maximumSize(MAX_HEADERS)
            .executor(OutOfMemory::run)
            .build();

    private volatile @Nullable NetworkChain chain;
    private volatile @Nullable HeadTracker head;
    private final AtomicLong doubtedNanos;

    private volatile @Nullable Growth growth;

    /**
     * The head at a moment.
     *
     * @param before the head at the moment before
     */
    private record Growth(long nanos, long number, long before) {}

    /** A header, and when it was seen first. */
    private record Seen(BlockHeader header, long nanos) {}

    /**
     * Returns an object for a network, which knows nothing yet.
     *
     * @param view without blocks
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public static KnownChain of(NetworkConfig config, ChainView view, LongSupplier clock) {
        return new KnownChain(view, ChainRules.of(config), config.upstreams().size() < 2, clock);
    }

    /** @param alone whether the network has one node, so that its word about the chain is all there is */
    KnownChain(ChainView view, ChainRules rules, boolean alone, LongSupplier clock) {
        this.view = view;
        this.rules = rules;
        this.alone = alone;
        this.clock = clock;
        this.doubtedNanos = new AtomicLong(clock.getAsLong() - DOUBT_NANOS);
    }

    /** Returns the clock, in nanoseconds, as {@link System#nanoTime}. */
    public LongSupplier clock() {
        return clock;
    }

    public ChainView view() {
        return view;
    }

    /** Notes that a node lacked the head's block: perhaps the chain went back. The next call that wants the head asks all nodes. */
    public void doubtHead() {
        HeadTracker tracker = head;
        long now = clock.getAsLong();
        long before = doubtedNanos.get();
        // Without a bound one node could make every call ask all nodes.
        if (tracker != null && now - before >= DOUBT_NANOS && doubtedNanos.compareAndSet(before, now)) {
            tracker.outdate();
        }
    }

    /** Sets what keeps these facts right. Without it no hash counts. */
    public void follow(NetworkChain watched, HeadTracker tracker) {
        chain = watched;
        head = tracker;
        tracker.listen(this);
    }

    @Override
    public void rose(long number) {
        grow(number);
    }

    @Override
    public void wentBack(long from, long to) {
        growth = new Growth(clock.getAsLong(), to, to - 1);
    }

    private Growth grow(long number) {
        long now = clock.getAsLong();
        Growth known = growth;
        if (known == null || now - known.nanos() >= NEW_NANOS) {
            known = new Growth(now, number, known == null ? number - 1 : known.number());
            growth = known;
        }
        return known;
    }

    /** Takes the header of a block that a node showed, if its hash proves it. Returns the proof. */
    public Verification<ProvenBlock> show(RawJson block) {
        Verification<ProvenBlock> proof = AnswerProof.header(block, null, false, rules.family());
        ProvenBlock proven = proof.value();
        if (proven != null) {
            headers.asMap().putIfAbsent(proven.hash().hex(), new Seen(proven.header(), clock.getAsLong()));
        }
        return proof;
    }

    /** Takes a block or header that a client gets from a node. Programs that read blocks often ask for their receipts next. */
    public void passed(long number, String hash, RawJson block) {
        if (block.length() <= MAX_EMPTY_BYTES && Objects.equals(EMPTY_ROOT, JsonObject.member(block, ROOT))) {
            empty.put(hash, hash);
            empty.put(Long.toString(number), hash);
        }
    }

    /** Takes the header of a block that passes to a client, proven by its hash. */
    public void passed(BlockHeader header) {
        passed.put(header.hash().hex(), header);
    }

    /** Returns the header with this hash that may prove receipts; null if it is not known. */
    public @Nullable BlockHeader headerOfReceipts(String hash) {
        BlockHeader known = header(hash);
        return known == null ? passed.getIfPresent(hash) : known;
    }

    /** Takes a block's header, and returns facts with the block, which is not kept; the same facts if nothing proves the header. */
    public ChainFacts with(ChainFacts facts, RawJson block) {
        ProvenBlock proven = show(block).value();
        return proven == null ? facts : new WithBlock(facts, proven.header(), transactionsOf(block));
    }

    private static int transactionsOf(RawJson block) {
        try {
            RawJson list = JsonObject.member(block, TRANSACTIONS);
            return list == null
                    ? -1
                    : JsonArray.elements(list, Integer.MAX_VALUE).size();
        } catch (InvalidParamsException e) {
            return -1;
        }
    }

    /** Facts with one more block. Immutable. */
    private static final class WithBlock extends ChainFacts {

        private final BlockHeader own;
        private final int size;

        WithBlock(ChainFacts facts, BlockHeader own, int size) {
            super(facts);
            this.own = own;
            this.size = size;
        }

        @Override
        public int transactions(String hash) {
            return isOwn(hash) ? size : super.transactions(hash);
        }

        @Override
        public @Nullable String hash(long number) {
            return number == own.number() ? own.hash().hex() : super.hash(number);
        }

        @Override
        public @Nullable BlockHeader header(String hash) {
            return isOwn(hash) ? own : super.header(hash);
        }

        private boolean isOwn(String hash) {
            return hash.equals(own.hash().hex());
        }
    }

    /** Returns whether the network has one node, so that nobody knows better. */
    public boolean isAlone() {
        return alone;
    }

    /** Returns for how many nanoseconds a header has been known; 0 if it is not. */
    public long knownNanos(String hash) {
        Seen seen = headers.getIfPresent(hash);
        return seen == null ? 0 : clock.getAsLong() - seen.nanos();
    }

    @Override
    public long top() {
        HeadTracker tracker = head;
        return tracker == null ? -1 : tracker.number();
    }

    @Override
    public long newFrom() {
        long number = top();
        boolean judge = hasBlooms() && !rules.family().has(Deviation.NO_BLOCK_HASHES);
        return judge ? Math.max(grow(number).before() + 1, number - MAX_NEW + 1) : Long.MAX_VALUE;
    }

    @Override
    public @Nullable String hash(long number) {
        return alone || view.isAgreed(number) ? view.hash(number) : null;
    }

    @Override
    public @Nullable String agreedHash(long number) {
        NetworkChain watched = chain;
        boolean certain =
                watched != null && (watched.isSettled(number) || watched.watch().isFresh());
        return certain && view.isAgreed(number) ? view.hash(number) : null;
    }

    @Override
    public boolean isCanonical(String hash) {
        Slot slot = view.find(hash);
        return slot != null && hash.equals(agreedHash(slot.block().number()));
    }

    @Override
    public @Nullable BlockHeader header(String hash) {
        Seen seen = headers.getIfPresent(hash);
        return seen == null ? null : seen.header();
    }

    @Override
    public boolean isEmpty(BlockSelector block) {
        if (block instanceof BlockSelector.Height height) {
            String hash = empty.getIfPresent(Long.toString(height.number()));
            return hash != null && hash.equals(Objects.requireNonNullElse(view.hash(height.number()), hash));
        }
        return block instanceof BlockSelector.Hash named && empty.getIfPresent(named.hash()) != null;
    }

    @Override
    public boolean hashesTransactions() {
        ChainFamily family = rules.family();
        return !family.has(Deviation.NO_HASHES) && !family.has(Deviation.TRANSACTIONS_UNTESTED);
    }

    @Override
    public @Nullable Hash32 stateRoot(String hash) {
        BlockHeader known = hasStateRoots() ? headerOfReceipts(hash) : null;
        return known == null ? null : known.stateRoot();
    }

    @Override
    public boolean hasStateRoots() {
        // That of other families was not compared with nodes.
        return rules.family() == ChainFamily.ETHEREUM || rules.family() == ChainFamily.OP;
    }

    @Override
    public boolean hasBlooms() {
        return !rules.family().has(Deviation.STATE_SYNC);
    }
}
