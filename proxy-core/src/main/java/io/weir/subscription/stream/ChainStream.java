package io.weir.subscription.stream;

import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.Slot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ordered stream of one network's canonical blocks: the difference between what it told and what the view of the chain holds now, which
 * blocks were removed, and which were added. It asks for gaps of the view that are between both, and for the headers that it tells. A view
 * whose newest block was told is ignored, because it is either old or has lost blocks, which the next block will show. If all remembered
 * blocks were replaced, the stream begins anew, because nobody could say what was removed. Confined to one event loop.
 */
public final class ChainStream {

    /** The usual bound of the blocks that are told at once. Each takes about 300 bytes, and clients that missed more had better begin anew. */
    public static final int MAX_GAP = 1_024;

    /** Blocks before the first one that are known in time: many nodes forget a branch when it is replaced. */
    private static final int BELOW = 32;

    /** Headers that are requested at the same time. */
    private static final int AT_ONCE = 16;

    private static final String NO_BLOCK = "no node gave a missing block in time";

    private final Links chain;
    private final Headers headers;
    private final StreamTimer timer;
    private final Listener listener;
    private final int maxGap;
    private final GapPatience patience;
    private final Map<String, StreamBlock> fetched = new HashMap<>();
    private final Set<String> asked = new HashSet<>();
    private ToldChain told;
    private boolean filling;
    private boolean pausing;
    private boolean going;
    private boolean again;
    private boolean closed;

    /** Source of blocks, from any node. Confined to the event loop of the stream. */
    @FunctionalInterface
    public interface Headers {

        /**
         * Requests a block.
         *
         * @param number of the block
         * @param sink receives it once, perhaps before this method returns; null if no node gave it
         */
        void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink);
    }

    /** Canonical hashes of the network. Confined to the event loop of the stream. */
    public interface Links {

        /** Returns the known hashes as they are now. */
        CanonicalLinks canonical();

        /**
         * Reads those that are missing above a height, down to it.
         *
         * @param sink receives whether the height is known now, perhaps before this method returns
         */
        void fill(long number, Consumer<Boolean> sink);

        /** Notes a canonical block with its parent, which may show that the hashes below it are of another branch. */
        void extend(BlockLink block);
    }

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
            BlockLink start,
            Links chain,
            Headers headers,
            StreamTimer timer,
            Listener listener,
            int maxGap,
            long gapNanos) {
        this.chain = chain;
        this.headers = headers;
        this.timer = timer;
        this.listener = listener;
        this.maxGap = maxGap;
        this.patience = new GapPatience(gapNanos);
        this.told = new ToldChain(start, maxGap);
    }

    /** Reads the blocks before the first one, of which nobody is told, to find a reorganisation that goes below it. */
    public void readBelow() {
        readBelow(told, Math.max(0, told.lowest().number() - BELOW));
    }

    private void readBelow(ToldChain of, long last) {
        if (closed || of != told || of.isCut()) {
            return;
        }
        CanonicalLinks links = chain.canonical();
        Slot next = links.at(of.lowest().number() - 1);
        while (next != null
                && next.block().number() >= last
                && next.block().hash().equals(of.lowest().parentHash())) {
            of.extendBelow(next.block());
            next = links.at(next.block().number() - 1);
        }
        long gap = of.lowest().number() - 2;
        if (next == null && gap >= last && links.hash(gap) == null) {
            chain.fill(Math.max(last, links.knownUpTo(gap) + 1), known -> {
                if (known) {
                    readBelow(of, last);
                }
            });
        }
    }

    /** Begins anew after the newest block of the view, because nobody can link the head to it. */
    public void giveUp() {
        if (!closed) {
            lose(chain.canonical(), NO_BLOCK);
        }
    }

    /** Goes on to the newest block of the view. */
    public void advance() {
        again = true;
        if (going) {
            return;
        }
        // Answers that come at once do not recurse.
        going = true;
        try {
            while (again && !closed && !pausing) {
                again = false;
                step(chain.canonical());
            }
        } finally {
            going = false;
        }
    }

    /** Returns the newest block that was told. */
    public BlockLink top() {
        return told.top();
    }

    /** Ends the stream. Nothing more is told. */
    public void close() {
        closed = true;
    }

    private void step(CanonicalLinks links) {
        String newest = links.hash(links.top());
        if (newest == null || told.has(newest)) {
            settled();
            return;
        }
        if (links.top() - told.top().number() > maxGap) {
            lose(links, "too many blocks were missed");
            return;
        }
        BlockLink kept = told.newestIn(links);
        // Nobody was told of what is below the first block.
        long first = kept == null ? Math.max(0, Math.min(told.lowest().number(), links.top())) : kept.number() + 1;
        long gap = highestGap(links, first);
        if (gap >= 0) {
            fill(links, gap, first);
        } else if (links.top() - first >= maxGap || (kept == null && told.isCut())) {
            lose(links, "a reorganisation was too deep");
        } else {
            tell(links, kept, first);
        }
    }

    /** Returns the highest height down to a block before the first one to be told, of which the view does not know the hash; -1 if none. */
    private static long highestGap(CanonicalLinks links, long first) {
        long number = links.top();
        while (number >= Math.max(0, first - 1) && links.hash(number) != null) {
            number--;
        }
        return number >= Math.max(0, first - 1) ? number : -1;
    }

    /** Asks for a gap down to the newest told block, and below it for as many again as were replaced so far. */
    private void fill(CanonicalLinks links, long gap, long first) {
        if (filling) {
            return;
        }
        filling = true;
        long top = told.top().number();
        long low = gap >= top ? top : Math.max(first - 1, gap - (top - gap));
        chain.fill(Math.max(low, links.knownUpTo(gap) + 1), known -> {
            filling = false;
            if (known) {
                advance();
            } else {
                missing();
            }
        });
    }

    private void tell(CanonicalLinks links, @Nullable BlockLink kept, long first) {
        long last = Math.min(links.top(), first + AT_ONCE - 1);
        for (long number = first; number <= last && !again; number++) {
            String hash = links.hash(number);
            if (hash != null && !fetched.containsKey(hash) && asked.add(hash)) {
                headers.fetch(hash, number, block -> took(hash, block));
            }
        }
        StreamBlock next = fetched.get(links.hash(first));
        if (next == null || again) {
            return;
        }
        fetched.remove(next.link().hash());
        if (kept != null && !next.link().parentHash().equals(kept.hash())) {
            chain.extend(next.link());
            missing();
            return;
        }
        told.dropAbove(kept == null ? "" : kept.hash()).forEach(listener::removed);
        if (kept == null) {
            told = new ToldChain(next.link(), maxGap);
        } else {
            told.push(next.link());
        }
        patience.progressed();
        listener.added(next);
        again = true;
    }

    private void took(String hash, @Nullable StreamBlock block) {
        asked.remove(hash);
        if (block == null || !block.link().hash().equals(hash)) {
            missing();
            return;
        }
        if (fetched.size() > maxGap) {
            // Headers of many branches came while a block was missing.
            fetched.clear();
        }
        fetched.put(hash, block);
        advance();
    }

    /** Goes on later, to the newest block by then. */
    private void missing() {
        if (closed || pausing) {
            return;
        }
        long pause = patience.missed(timer.now());
        if (pause < 0) {
            lose(chain.canonical(), NO_BLOCK);
            return;
        }
        pausing = true;
        timer.after(pause, () -> {
            pausing = false;
            advance();
        });
    }

    private void settled() {
        fetched.clear();
        patience.settled();
    }

    private void lose(CanonicalLinks links, String reason) {
        settled();
        Slot newest = links.at(links.top());
        if (newest != null) {
            told = new ToldChain(newest.block(), maxGap);
        }
        listener.lost(reason, told.top());
    }

    /** Newest blocks that a stream has told, each the parent of the next. Never empty. Confined to one thread. */
    private static final class ToldChain {

        private final int max;
        private final Deque<BlockLink> blocks = new ArrayDeque<>();
        private final Set<String> hashes = new HashSet<>();
        private boolean evicted;

        /** @param max the maximum number of blocks */
        ToldChain(BlockLink start, int max) {
            this.max = max;
            push(start);
        }

        boolean has(String hash) {
            return hashes.contains(hash);
        }

        BlockLink top() {
            return blocks.getLast();
        }

        BlockLink lowest() {
            return blocks.getFirst();
        }

        /** Returns the newest block that is canonical by these hashes; null if none is. */
        @Nullable
        BlockLink newestIn(CanonicalLinks links) {
            Iterator<BlockLink> newestFirst = blocks.descendingIterator();
            while (newestFirst.hasNext()) {
                BlockLink block = newestFirst.next();
                if (block.hash().equals(links.hash(block.number()))) {
                    return block;
                }
            }
            return null;
        }

        /** Returns whether blocks that were told have been forgotten. */
        boolean isCut() {
            return evicted;
        }

        /** Adds the parent of the lowest block, which nobody was told of. */
        void extendBelow(BlockLink parent) {
            blocks.addFirst(parent);
            hashes.add(parent.hash());
        }

        /** Removes the blocks above one, or all, and returns them, the newest first. */
        List<BlockLink> dropAbove(String hash) {
            List<BlockLink> dropped = new ArrayList<>();
            while (!blocks.isEmpty() && !blocks.getLast().hash().equals(hash)) {
                BlockLink block = blocks.removeLast();
                hashes.remove(block.hash());
                dropped.add(block);
            }
            return dropped;
        }

        /** Adds a child of the newest block. */
        void push(BlockLink block) {
            blocks.addLast(block);
            hashes.add(block.hash());
            if (blocks.size() > max) {
                hashes.remove(blocks.removeFirst().hash());
                evicted = true;
            }
        }
    }
}
