package io.weir.subscription.chain;

import io.weir.chain.BlockLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ordered stream of one network's canonical blocks. It learns of heads only: they may be lost, repeated, late or of any branch.
 * For each head it walks by parent hash to a block that it told before. It then tells which blocks were removed, and which were
 * added. A head that is an ancestor of the newest block is ignored, because it is either old or a loss of blocks that the next
 * block will show. Confined to one event loop.
 */
public final class ChainStream {

    /** Blocks before the first one that are looked at when the chain changes below it. */
    private static final int MAX_BELOW = 128;

    /** Blocks before the first one that are read before they are needed. */
    private static final int READ_BELOW = 32;

    /** Blocks of a gap that are requested at the same time. */
    private static final int MAX_AHEAD = 16;

    private static final long MIN_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final HeaderSource source;
    private final StreamTimer timer;
    private final BlockListener listener;
    private final int maxGap;
    private final long gapNanos;
    private final Map<String, StreamBlock> fetched = new HashMap<>();
    private ToldChain told;
    private BlockLink target;
    private @Nullable Walk walk;
    /** When a block could not be had for the first time since the last one was; 0 if that is not so. */
    private long stuckNanos;

    private long retryNanos = MIN_RETRY_NANOS;
    private boolean closed;

    /**
     * Creates a stream that begins after a block, of which nobody is told.
     *
     * @param maxGap the maximum number of blocks that are told at once
     * @param gapNanos time without a further block after which a gap cannot be filled
     */
    public ChainStream(
            BlockLink start,
            HeaderSource source,
            StreamTimer timer,
            BlockListener listener,
            int maxGap,
            long gapNanos) {
        this.source = source;
        this.timer = timer;
        this.listener = listener;
        this.maxGap = maxGap;
        this.gapNanos = gapNanos;
        this.told = new ToldChain(start, maxGap);
        this.target = start;
    }

    /**
     * Reads the blocks before the first one, of which nobody is told. Many nodes forget a branch when it is replaced. Nothing would
     * then show where a reorganisation begins that goes below the first block.
     */
    public void readBelow() {
        ToldChain of = told;
        BlockLink lowest = of.lowest();
        if (closed || of.below() >= READ_BELOW || of.isCut() || of.isFull() || lowest.number() == 0) {
            return;
        }
        source.fetch(lowest.parentHash(), lowest.number() - 1, block -> {
            boolean right = block != null && block.link().hash().equals(lowest.parentHash());
            if (block == null || !right || of != told) {
                return;
            }
            // A search may have added it meanwhile.
            if (of.lowest().equals(lowest)) {
                of.extendBelow(block.link());
            }
            readBelow();
        });
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
            stuckNanos = 0;
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
        stuckNanos = 0;
        told = new ToldChain(target, maxGap);
        listener.lost(reason);
    }

    /** Search from a head down to a block that was told. Confined to the event loop of its stream. */
    private final class Walk {

        private final BlockLink head;
        /** The newest block first, each followed by its parent. */
        private final List<StreamBlock> path = new ArrayList<>();

        private String wanted;
        private long wantedNumber;
        /** Numbers of blocks of a gap that were requested by number and have not come. */
        private final Set<Long> ahead = new HashSet<>();

        private long nextAhead;
        /** The block that was requested by its hash last. */
        private @Nullable String asked;

        private boolean belowUnknown;
        private int below;
        private boolean going;
        private boolean again;

        Walk(BlockLink head) {
            this.head = head;
            this.wanted = head.hash();
            this.wantedNumber = head.number();
            this.nextAhead = head.number() - 1;
        }

        /**
         * Requests blocks together, because their hashes are not known before their children come: those of a gap, and as many
         * again as a reorganisation has replaced so far.
         */
        private void askAhead() {
            long top = told.top().number();
            long replaced = top - wantedNumber;
            long last = replaced < 2 ? top : Math.max(told.lowest().number(), wantedNumber - replaced);
            nextAhead = Math.min(nextAhead, wantedNumber - 1);
            while (!isOver() && stuckNanos == 0 && nextAhead > last && ahead.size() < MAX_AHEAD) {
                long number = nextAhead--;
                ahead.add(number);
                source.fetchAt(number, block -> tookAhead(number, block));
            }
        }

        private void tookAhead(long number, @Nullable StreamBlock block) {
            ahead.remove(number);
            if (isOver()) {
                return;
            }
            if (block != null && block.link().number() == number) {
                fetched.put(block.link().hash(), block);
            }
            go();
        }

        private boolean isOver() {
            return walk != this;
        }

        /** Goes on with the blocks at hand. Answers that come at once do not recurse. */
        void go() {
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
                lose("too many blocks were missed");
            } else {
                StreamBlock block = have(wanted, wantedNumber, this::missing);
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
                if (path.isEmpty()) {
                    over();
                } else {
                    lose("a reorganisation was too deep");
                }
            } else if (belowUnknown || below >= MAX_BELOW || told.isFull() || lowest.number() == 0) {
                endBelow();
            } else {
                StreamBlock parent = have(lowest.parentHash(), lowest.number() - 1, () -> {
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
            StreamBlock block = have(wanted, wantedNumber, this::missing);
            if (block != null) {
                path.add(block);
                end("");
            }
        }

        /** Returns a block if it is at hand; otherwise requests it. */
        private @Nullable StreamBlock have(String hash, long number, Runnable none) {
            StreamBlock known = fetched.get(hash);
            if (known == null && !hash.equals(asked) && !ahead.contains(number)) {
                asked = hash;
                source.fetch(hash, number, block -> took(hash, number, block, none));
            }
            return known;
        }

        private void took(String hash, long number, @Nullable StreamBlock block, Runnable none) {
            if (isOver()) {
                return;
            }
            boolean right = block != null
                    && block.link().hash().equals(hash)
                    && block.link().number() == number;
            if (block != null && right) {
                fetched.put(hash, block);
                stuckNanos = 0;
                retryNanos = MIN_RETRY_NANOS;
                go();
            } else {
                none.run();
            }
        }

        /** Repeats the walk later, to the newest head by then. */
        private void missing() {
            long now = timer.now();
            stuckNanos = stuckNanos == 0 ? now : stuckNanos;
            if (now - stuckNanos >= gapNanos) {
                lose("no node gave a missing block in time");
                return;
            }
            long pause = retryNanos;
            retryNanos = Math.min(MAX_RETRY_NANOS, retryNanos * 2);
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
}
