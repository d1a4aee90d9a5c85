package io.weir.subscription.stream;

import io.weir.chain.BlockLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ordered stream of one network's canonical blocks. It learns of heads only: they may be lost, repeated, late or of any branch.
 * For each head it walks by parent hash to a block that it told before. It then tells which blocks were removed, and which were
 * added. A head that is an ancestor of the newest block is ignored, because it is either old or a loss of blocks that the next
 * block will show. A head below all remembered blocks ends the stream, because nobody could say what it removes. Confined to one event
 * loop.
 */
public final class ChainStream {

    /** Blocks before the first one that are looked at when the chain changes below it. */
    private static final int MAX_BELOW = 128;

    /** The usual bound of the blocks that are told at once. Each takes about 300 bytes, and clients that missed more had better begin anew. */
    public static final int MAX_GAP = 1_024;

    private static final String TOO_DEEP = "a reorganisation was too deep";

    private final StreamSource source;
    private final StreamTimer timer;
    private final Listener listener;
    private final int maxGap;
    private final GapPatience patience;
    private final Map<String, StreamBlock> fetched = new HashMap<>();
    private ToldChain told;
    private BlockLink target;
    private @Nullable Walk walk;
    private boolean closed;

    /**
     * Listener of a stream. Blocks come in order: each added block is a child of the one before, after the blocks between them were
     * removed, the newest first. Confined to the event loop of the stream.
     */
    public interface Listener {

        /** Handles a new block. */
        void added(StreamBlock block);

        /** Handles that a block which was added is no longer canonical. */
        void removed(BlockLink block);

        /**
         * Handles that the stream cannot go on from the last block. It begins anew at a later one.
         *
         * @param reason for clients, in ASCII
         * @param newest the block after which it begins
         */
        void lost(String reason, BlockLink newest);
    }

    /**
     * Creates a stream that begins after a block, of which nobody is told.
     *
     * @param maxGap the maximum number of blocks that are told at once
     * @param gapNanos time without a further block after which a gap cannot be filled
     */
    public ChainStream(
            BlockLink start, StreamSource source, StreamTimer timer, Listener listener, int maxGap, long gapNanos) {
        this.source = source;
        this.timer = timer;
        this.listener = listener;
        this.maxGap = maxGap;
        this.patience = new GapPatience(gapNanos);
        this.told = new ToldChain(start, maxGap);
        this.target = start;
    }

    /** Reads the blocks before the first one, of which nobody is told, to find a reorganisation that goes below it. */
    public void readBelow() {
        ToldChain of = told;
        new BelowReader(source, of, () -> closed || of != told).read();
    }

    /** Goes on to a head. If blocks are being fetched for another one, the newest of later heads follows it. */
    public void advance(BlockLink head) {
        target = head;
        if (walk == null) {
            begin();
        }
    }

    /** Returns the newest block that was told. */
    public BlockLink top() {
        return told.top();
    }

    /** Ends the stream. Nothing more is told. */
    public void close() {
        closed = true;
        walk = null;
    }

    private void begin() {
        BlockLink head = target;
        if (closed) {
            return;
        }
        if (told.has(head.hash())) {
            patience.settled();
            return;
        }
        if (fetched.size() > maxGap + MAX_BELOW) {
            // Heads of many branches came while a block was missing.
            fetched.clear();
        }
        Walk next = new Walk(head);
        walk = next;
        next.go();
    }

    private void lose(String reason) {
        walk = null;
        fetched.clear();
        patience.settled();
        told = new ToldChain(target, maxGap);
        listener.lost(reason, target);
    }

    /** Search from a head down to a block that was told. Confined to the event loop of its stream. */
    private final class Walk implements BlockRequests.Search {

        private final BlockLink head;
        private final BlockRequests requests;
        /** The newest block first, each followed by its parent. */
        private final List<StreamBlock> path = new ArrayList<>();

        private String wanted;
        private long wantedNumber;
        private boolean belowUnknown;
        private int below;
        private boolean going;
        private boolean again;

        Walk(BlockLink head) {
            this.head = head;
            this.wanted = head.hash();
            this.wantedNumber = head.number();
            this.requests = new BlockRequests(source, fetched, head.number());
        }

        /**
         * Requests blocks together, because their hashes are not known before their children come: those of a gap, and as many
         * again as a reorganisation has replaced so far.
         */
        private void askAhead() {
            long top = told.top().number();
            long replaced = top - wantedNumber;
            long last = replaced < 2 ? top : Math.max(told.lowest().number(), wantedNumber - replaced);
            if (!patience.isStuck()) {
                requests.askAhead(this, wantedNumber, last);
            }
        }

        @Override
        public boolean isOver() {
            return walk != this;
        }

        @Override
        public void came() {
            patience.progressed();
            go();
        }

        /** Answers that come at once do not recurse. */
        @Override
        public void go() {
            again = true;
            if (going) {
                return;
            }
            going = true;
            try {
                while (again && !isOver()) {
                    again = false;
                    step();
                    askAhead();
                }
            } finally {
                going = false;
            }
        }

        private void step() {
            if (told.has(wanted)) {
                end(wanted);
            } else if (wantedNumber < told.lowest().number()) {
                stepBelow();
            } else if (path.size() >= maxGap || head.number() - told.top().number() > maxGap) {
                boolean replaced = wantedNumber < told.top().number();
                lose(replaced ? TOO_DEEP : "too many blocks were missed");
            } else {
                StreamBlock block = requests.have(this, wanted, wantedNumber, this::missing);
                if (block != null) {
                    path.add(block);
                    wanted = block.link().parentHash();
                    wantedNumber = block.link().number() - 1;
                    again = true;
                }
            }
        }

        /** Looks for the block among those before the first one of the stream. */
        private void stepBelow() {
            BlockLink lowest = told.lowest();
            if (told.isCut()) {
                lose(TOO_DEEP);
            } else if (belowUnknown || below >= MAX_BELOW || told.isFull() || lowest.number() == 0) {
                endBelow();
            } else {
                StreamBlock parent = requests.have(this, lowest.parentHash(), lowest.number() - 1, () -> {
                    // The nodes have forgotten the branch.
                    belowUnknown = true;
                    go();
                });
                if (parent != null) {
                    below++;
                    told.extendBelow(parent.link());
                    again = true;
                }
            }
        }

        private void endBelow() {
            if (!path.isEmpty()) {
                end("");
                return;
            }
            // The head alone follows: nobody was told of what is below it.
            StreamBlock block = requests.have(this, wanted, wantedNumber, this::missing);
            if (block != null) {
                path.add(block);
                end("");
            }
        }

        /** Repeats the walk later, to the newest head by then. */
        private void missing() {
            long pause = patience.missed(timer.now());
            if (pause < 0) {
                lose("no node gave a missing block in time");
                return;
            }
            timer.after(pause, () -> {
                if (!isOver()) {
                    walk = null;
                    begin();
                }
            });
        }

        private void over() {
            walk = null;
            if (!target.hash().equals(head.hash())) {
                begin();
            }
        }

        private void end(String ancestor) {
            fetched.clear();
            List<BlockLink> dropped = path.isEmpty() ? List.of() : told.dropAbove(ancestor);
            dropped.forEach(listener::removed);
            if (ancestor.isEmpty() && !path.isEmpty()) {
                told = new ToldChain(path.get(path.size() - 1).link(), maxGap);
            }
            for (int i = path.size() - 1; i >= 0; i--) {
                StreamBlock block = path.get(i);
                if (!told.has(block.link().hash())) {
                    told.push(block.link());
                }
                listener.added(block);
            }
            over();
        }
    }

    /**
     * Reader of the blocks before the first one of a stream, of which nobody is told. Many nodes forget a branch when it is replaced, and
     * nothing would then show where a reorganisation begins that goes below the first block. So the blocks are requested by number,
     * several at a time. One that does not fit the block above is requested by its hash. Confined to one event loop.
     */
    private static final class BelowReader {

        /** Blocks that are read. */
        private static final int COUNT = 32;

        /** Blocks that are requested at the same time. */
        private static final int AT_ONCE = 16;

        private final StreamSource source;
        private final ToldChain told;
        private final BooleanSupplier over;
        private final Map<Long, BlockLink> read = new HashMap<>();
        /** Numbers of the blocks that were requested and have not come. */
        private final Set<Long> asked = new HashSet<>();

        private final long end;
        private long next;
        /** The hash that was requested last. */
        private @Nullable String askedHash;

        /**
         * Creates a reader.
         *
         * @param told receives the blocks
         * @param over returns whether the stream does not need them any more
         */
        BelowReader(StreamSource source, ToldChain told, BooleanSupplier over) {
            this.source = source;
            this.told = told;
            this.over = over;
            this.next = told.lowest().number() - 1;
            this.end = Math.max(-1, next - COUNT);
        }

        /** Requests the next blocks by their numbers. */
        void read() {
            while (!over.getAsBoolean() && next > end && asked.size() < AT_ONCE) {
                long number = next--;
                asked.add(number);
                source.fetchAt(number, block -> took(number, block));
            }
        }

        private void took(long number, @Nullable StreamBlock block) {
            asked.remove(number);
            if (block != null && block.link().number() == number) {
                read.put(number, block.link());
            }
            link();
            read();
        }

        /** Adds what fits the lowest block. */
        private void link() {
            while (!over.getAsBoolean() && !told.isCut() && !told.isFull()) {
                BlockLink lowest = told.lowest();
                long number = lowest.number() - 1;
                if (number <= end || asked.contains(number)) {
                    return;
                }
                BlockLink block = read.remove(number);
                if (block == null || !block.hash().equals(lowest.parentHash())) {
                    ask(lowest.parentHash(), number);
                    return;
                }
                told.extendBelow(block);
            }
        }

        private void ask(String hash, long number) {
            if (hash.equals(askedHash)) {
                return;
            }
            askedHash = hash;
            asked.add(number);
            source.fetch(hash, number, block -> took(number, block));
        }
    }

    /** Newest blocks that a stream has told, each the parent of the next. Never empty. Confined to one thread. */
    private static final class ToldChain {

        private final int max;
        private final Deque<BlockLink> blocks = new ArrayDeque<>();
        private final Map<String, BlockLink> byHash = new HashMap<>();
        private boolean evicted;

        /** @param max the maximum number of blocks */
        ToldChain(BlockLink start, int max) {
            this.max = max;
            push(start);
        }

        boolean has(String hash) {
            return byHash.containsKey(hash);
        }

        BlockLink top() {
            return blocks.getLast();
        }

        BlockLink lowest() {
            return blocks.getFirst();
        }

        /** Returns whether blocks that were told have been forgotten. */
        boolean isCut() {
            return evicted;
        }

        boolean isFull() {
            return blocks.size() >= max;
        }

        /** Adds the parent of the lowest block, which nobody was told of. */
        void extendBelow(BlockLink parent) {
            blocks.addFirst(parent);
            byHash.put(parent.hash(), parent);
        }

        /** Removes the blocks above one, or all, and returns them, the newest first. */
        List<BlockLink> dropAbove(String hash) {
            List<BlockLink> dropped = new ArrayList<>();
            while (!blocks.isEmpty() && !blocks.getLast().hash().equals(hash)) {
                BlockLink block = blocks.removeLast();
                byHash.remove(block.hash());
                dropped.add(block);
            }
            return dropped;
        }

        /** Adds a child of the newest block. */
        void push(BlockLink block) {
            blocks.addLast(block);
            byHash.put(block.hash(), block);
            if (blocks.size() > max) {
                byHash.remove(blocks.removeFirst().hash());
                evicted = true;
            }
        }
    }
}
