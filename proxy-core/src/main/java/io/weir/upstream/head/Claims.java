package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadTracker;
import io.weir.chain.KnownHead;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.head.HeadRules.Proof;
import io.weir.upstream.head.Witness.BlockAnswer;
import io.weir.upstream.head.Witness.BlockAnswer.Kind;
import io.weir.upstream.head.Witness.CheckResult;
import io.weir.upstream.head.Witness.Failure;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the head that a node names counts: at once by {@link HeadRules}, or once the node has shown it. Confined to the monitor's
 * event loop, except for methods marked as thread-safe.
 *
 * <p>A check asks a node for the block with the number that it named. Its parents are followed down to the highest head of the other nodes,
 * and compared with the block of that node. A node is checked at most once in {@link #PAUSE_NANOS} after a check that it did not pass. While
 * no head is known, a node that is silent is no witness; see {@link Questions}.
 */
public final class Claims implements Branches.Listener {

    /** Nanoseconds between a check that a node did not pass and its next one. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Nanoseconds within which nodes were heard from at about the same time. */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Seconds by which the time of a block may be in the future. */
    private static final long CLOCK_SECONDS = 60;

    /** Least time between doubts because of a block that does not count yet, if it is not a new one nearby. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Milliseconds that calls wait for checks while no head is known, or after an answer named a new block nearby. */
    static final long WAIT_MILLIS = 2_500;

    private final HeadTracker tracker;
    private final HeadRules rules;
    private final Questions questions;
    private final Branches branches;
    private final LongSupplier clock;
    private final LongSupplier wallSeconds;
    /** The highest block that an answer named and that did not count. */
    private final AtomicLong doubted = new AtomicLong();
    /** When such a block last made the head doubtful, and when the highest one was named. */
    private final AtomicLong doubtedNanos;

    private volatile long newlyDoubtedNanos;

    /** @param tracker knows the highest head that counted */
    Claims(
            HeadTracker tracker,
            HeadRules rules,
            Questions questions,
            List<Witness> witnesses,
            LongSupplier clock,
            LongSupplier wallSeconds) {
        this.tracker = tracker;
        this.rules = rules;
        this.questions = questions;
        this.clock = clock;
        this.wallSeconds = wallSeconds;
        this.branches = new Branches(witnesses, this);
        this.doubtedNanos = new AtomicLong(clock.getAsLong() - DOUBT_NANOS);
        tracker.listen(branches);
    }

    HeadRules rules() {
        return rules;
    }

    /** Returns whether a head that a node names now counts without being shown. Thread-safe. */
    public boolean counts(Witness node, long head) {
        return (head <= tracker.known().top() || rules.tip(node, head) == null) && isPlausible(node, head);
    }

    private boolean isPlausible(Witness node, long head) {
        return rules.counts(node, head, moment()) && !isEarly(node, head);
    }

    /** Returns whether a head waits because the chain cannot have grown so far. Thread-safe. */
    boolean isEarly(Witness node, long head) {
        HeadRules.Moment now = moment();
        return node.waits(rules.isEarly(node, head, now), now.blockNanos(), now.nanos());
    }

    private HeadRules.Moment moment() {
        return new HeadRules.Moment(tracker.known(), tracker.blockNanos(), clock.getAsLong());
    }

    /** Raises the head to a block that an answer showed, if that counts at once. Returns whether it did. Thread-safe. */
    boolean raise(Witness node, long block) {
        if (!isPlausible(node, block) || !rules.isNext(node, block)) {
            return false;
        }
        tracker.accept(block, node.id());
        tracker.raise(block);
        return true;
    }

    /** Returns whether a block that an answer named, and that does not count, makes the head doubtful. Thread-safe. */
    boolean isDoubt(long number) {
        long now = clock.getAsLong();
        long before = doubtedNanos.get();
        // A client may have read of this block, and its next call must not be held to an older one.
        boolean isNew =
                HeadRules.isNear(tracker.known(), number) && doubted.getAndAccumulate(number, Math::max) < number;
        boolean isDue = now - before >= DOUBT_NANOS && doubtedNanos.compareAndSet(before, now);
        if (isNew) {
            newlyDoubtedNanos = now;
        }
        return isNew || isDue;
    }

    /** Returns whether the known head is of no use to a call: there is none, or an answer has just named a higher block. */
    boolean mustBeChecked() {
        long number = tracker.number();
        long waited = clock.getAsLong() - newlyDoubtedNanos;
        return number < 0 || (doubted.get() > number && waited < TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS));
    }

    /** Compares the newest block of a node with those of others. Returns whether it may be told, if its number counts. */
    boolean hears(Witness node, BlockAnswer block) {
        KnownHead known = tracker.known();
        if (!rules.isAlone() && !block.hash().isEmpty() && HeadRules.isNear(known, block.number())) {
            branches.shown(node, block);
            if (branches.isAgreed(block.number() - 1, block.parentHash())) {
                node.agrees();
            }
            boolean counts = block.number() > known.top() || rules.tip(node, block.number()) == null;
            return (counts && !rules.waits(node, Long.MAX_VALUE)) || branches.isAgreed(block.number(), block.hash());
        }
        return true;
    }

    /** Notes blocks that are or were canonical: they show what nodes named with their newest blocks. */
    void linked(List<BlockLink> blocks) {
        if (!rules.isAlone()) {
            KnownHead known = tracker.known();
            branches.linked(blocks.stream()
                    .filter(block -> HeadRules.isNear(known, block.number()))
                    .toList());
        }
    }

    /** Notes that no node had this block, to which calls were held. The node that named it must show it now. Thread-safe. */
    void missing(long number) {
        KnownHead known = tracker.known();
        Witness node = known.restsOn() == null ? null : rules.witness(known.restsOn());
        if (node != null && known.top() == number) {
            node.doubt(true);
        }
    }

    /** Notes the head of a node that became healthy outside a round. */
    public void returned(Witness node, long head) {
        if (!node.ready() && !node.isOutOfLine()) {
            return;
        }
        if (counts(node, head)) {
            accept(node, head);
            raiseTo(node, head);
        } else {
            check(node, head, result -> accept(node, result, shown -> raiseTo(node, shown)));
        }
    }

    private void raiseTo(Witness node, long head) {
        if (node.ready() && node.tier() == rules.lowestTier()) {
            tracker.raise(head);
        }
    }

    /** Takes the word of a node for a head that counts. */
    void accept(Witness node, long head) {
        tracker.accept(head, node.id());
        long highest = rules.highestBeside(node);
        tracker.confirm(highest < 0 ? head : Math.min(head, highest));
        node.outOfLine(null);
    }

    /**
     * Takes the result of a check.
     *
     * @param sink receives how much of the head counts, if the node has shown it
     */
    void accept(Witness node, CheckResult result, LongConsumer sink) {
        if (result.shown() >= 0) {
            long head = shown(node, result.shown());
            accept(node, head);
            sink.accept(head);
        } else if (result.contradiction() != null) {
            node.outOfLine(result.contradiction());
        }
    }

    private long shown(Witness node, long shown) {
        KnownHead known = tracker.known();
        if (rules.waits(node, shown)
                && rules.isStill(known, clock.getAsLong())
                && rules.highestBeside(node) <= known.top()) {
            // The other nodes are behind, or gone. It counts until one of them has caught up.
            node.believe(Long.MAX_VALUE);
        }
        long head = rules.waits(node, shown) ? node.believed() : isEarly(node, shown) ? known.top() : shown;
        tracker.confirm(head);
        node.doubt(false);
        tracker.accept(head, null);
        return head;
    }

    /** Runs an action once nodes were asked for their heads that were not heard from lately. */
    void whenHeard(Runnable action) {
        long now = clock.getAsLong();
        List<Witness> silent = rules.ready().stream()
                .filter(one -> now - one.headNanos() > PAUSE_NANOS)
                .toList();
        int[] open = {silent.size()};
        silent.forEach(one -> questions.number(one, head -> {
            if (--open[0] == 0) {
                action.run();
            }
        }));
        if (silent.isEmpty()) {
            action.run();
        }
    }

    /**
     * Checks the head that a node named. If the node is being checked, the result is that of the check in progress, which
     * may be about another head.
     *
     * @param sink receives the result once, perhaps before this method returns
     */
    void check(Witness node, long claim, Consumer<CheckResult> sink) {
        List<Witness> others = rules.beside(node);
        Witness.Check open = node.check;
        Failure failure = node.failure;
        if (open != null) {
            open.sinks.add(sink);
        } else if (failure != null
                && failure.compared() == !others.isEmpty()
                && clock.getAsLong() - failure.atNanos() < PAUSE_NANOS) {
            sink.accept(failure.result());
        } else {
            new Run(node, claim, others, new Witness.Check(sink)).begin();
        }
    }

    /** One check. Confined to the monitor's event loop. */
    private final class Run {

        private final Witness node;
        private final long claim;
        private final @Nullable Witness other;
        /**
         * The block to which the head must lead: the node's own one if nothing else is against the head. If the others have begun anew, or are
         * far behind, it is the newest on which several nodes agreed.
         */
        private final @Nullable BlockLink tip;

        private final long highest;
        private final boolean mustShow;
        private final List<Witness> others;
        private final Witness.Check open;
        private Proof proof = Proof.NONE;

        Run(Witness node, long claim, List<Witness> others, Witness.Check open) {
            this.node = node;
            this.claim = claim;
            this.others = others;
            this.open = open;
            this.other = witness(others);
            this.mustShow = node.mustShow() || node.believed() < claim;
            long witnessed = other == null ? -1 : other.head();
            boolean counts = !mustShow && rules.counts(tracker.known(), claim, witnessed, clock.getAsLong());
            this.tip = isFarAbove(witnessed) ? branches.agreedUpTo(claim) : counts ? rules.tip(node, claim) : null;
            this.highest = tip != null ? tip.number() : mustShow ? Math.min(claim, witnessed) : witnessed;
        }

        private boolean isFarAbove(long witnessed) {
            return others.size() > 1 && claim - witnessed > HeadRules.MAX_LINKS;
        }

        /** Returns the node with the highest head of those heard from last: others may hang. */
        private static @Nullable Witness witness(List<Witness> others) {
            Witness last = others.stream()
                    .max((one, another) -> Long.compare(one.headNanos() - another.headNanos(), 0))
                    .orElse(null);
            return others.stream()
                    .filter(node -> last != null && last.headNanos() - node.headNanos() < RECENT_NANOS)
                    .max(Comparator.comparingLong(Witness::head))
                    .orElse(last);
        }

        void begin() {
            node.check = open;
            open.answered = false;
            boolean linked = other != null && (mustShow || tip != null) && claim - highest <= HeadRules.MAX_LINKS;
            proof = linked ? Proof.LINKS : HeadRules.proof(claim, highest, others.size());
            if (proof == Proof.NONE) {
                contradicts("which is too far ahead");
            } else {
                questions.block(node, new BlockSelector.Height(claim), this::block);
            }
        }

        private void block(BlockAnswer answer) {
            open.answered = true;
            boolean unable = answer.kind() == Kind.REFUSED && other == null;
            if (!answer.shows(claim) && !unable) {
                lacks(answer, "but does not show that block");
            } else if (proof == Proof.LINKS && other != null) {
                if (claim - tracker.known().top() <= HeadRules.MAX_LINKS) {
                    branches.shown(node, answer);
                }
                step(answer, other);
            } else if (proof == Proof.TIMES && other != null) {
                times(answer, other);
            } else {
                // A sole node has nobody to contradict, also one that has no blocks by number.
                end(new CheckResult(claim, null));
            }
        }

        /**
         * Compares an old block of both nodes, because honest ones may differ about a new one, and then the times of their heads. A node may
         * have pruned any block but the first one.
         */
        private void times(BlockAnswer block, Witness witness) {
            long links = Math.min(highest, HeadRules.MAX_LINKS);
            questions.block(
                    witness,
                    new BlockSelector.Height(highest),
                    known -> questions.block(witness, new BlockSelector.Height(highest - links), early -> {
                        if (!known.shows(highest) || !early.shows(highest - links)) {
                            fails(witness, known);
                        } else {
                            questions.block(node, new BlockSelector.Height(highest - links), own -> {
                                boolean lacks = highest == links && !own.shows(0);
                                if (lacks
                                        || (own.kind() == Kind.SHOWN
                                                && !own.hash().equals(early.hash()))) {
                                    contradicts("but has another block " + (highest - links));
                                } else if (links > 0) {
                                    compareTimes(block, known, links, known.seconds() - early.seconds());
                                } else {
                                    paceOf(block, known);
                                }
                            });
                        }
                    }));
        }

        /** Takes the pace of the chain from the node itself, because the other one has the first block only. */
        private void paceOf(BlockAnswer block, BlockAnswer known) {
            long links = Math.min(claim, HeadRules.MAX_LINKS);
            questions.block(node, new BlockSelector.Height(claim - links), early -> {
                long seconds = early.shows(claim - links) ? block.seconds() - early.seconds() : 0;
                compareTimes(block, known, links, seconds);
            });
        }

        private void compareTimes(BlockAnswer block, BlockAnswer known, long links, long linkSeconds) {
            boolean plausible = block.seconds() <= wallSeconds.getAsLong() + CLOCK_SECONDS
                    && rules.isPlausible(claim - highest, block.seconds() - known.seconds(), links, linkSeconds);
            if (plausible) {
                end(new CheckResult(claim, null));
            } else {
                contradicts("but too little time has passed for that block");
            }
        }

        private void step(BlockAnswer block, Witness witness) {
            branches.linked(List.of(new BlockLink(block.number(), block.hash(), block.parentHash())));
            if (block.number() == highest && tip != null) {
                end(new CheckResult(block.hash().equals(tip.hash()) ? claim : -1, null));
            } else if (block.number() == highest) {
                questions.block(witness, new BlockSelector.Height(highest), known -> compare(block, known, witness));
            } else if (block.parentHash().isEmpty()) {
                contradicts("but shows a block without a parent");
            } else {
                questions.block(node, new BlockSelector.Hash(block.parentHash(), false), parent -> {
                    boolean right =
                            parent.shows(block.number() - 1) && parent.hash().equals(block.parentHash());
                    if (right) {
                        step(parent, witness);
                    } else {
                        lacks(parent, "but does not show the parents of that block");
                    }
                });
            }
        }

        private void compare(BlockAnswer block, BlockAnswer known, Witness witness) {
            if (!known.shows(highest)) {
                fails(witness, known);
            } else if (!block.hash().isEmpty() && block.hash().equals(known.hash())) {
                agreed(node, highest);
                end(new CheckResult(claim, null));
            } else {
                contradicts("but its parents do not lead to that block");
            }
        }

        private boolean isSilent(Witness one) {
            return one.silent || (one.check != null && !one.check.answered);
        }

        /** Goes on without a witness that lacks its own block, or does not answer while no head is known. */
        private void fails(Witness witness, BlockAnswer known) {
            boolean silent = known.kind() == Kind.FAILED && tracker.known().top() < 0;
            List<Witness> rest = others.stream()
                    .filter(one -> !one.equals(witness) && !(silent && isSilent(one)))
                    .toList();
            if (known.isLack() && witness.head() == highest) {
                // Otherwise it would hold back the head.
                witness.outOfLine("names head " + highest + ", but does not show that block");
            }
            if (silent || (known.isLack() && !rest.isEmpty())) {
                new Run(node, claim, rest, open).begin();
            } else {
                end(new CheckResult(-1, null));
            }
        }

        /** Ends without the block. Only an answer contradicts the node: a call that failed says nothing about its chain. */
        private void lacks(BlockAnswer answer, String what) {
            if (answer.kind() == Kind.FAILED) {
                end(new CheckResult(-1, null));
            } else {
                contradicts(what);
            }
        }

        private void contradicts(String what) {
            String reason = other == null
                    ? null
                    : "names head " + claim + ", " + what + "; the highest head of the other nodes is " + highest;
            end(new CheckResult(-1, reason));
        }

        private void end(CheckResult result) {
            node.check = null;
            if (result.shown() >= 0) {
                node.failure = null;
            } else if (tracker.known().top() >= 0) {
                node.failure = new Failure(clock.getAsLong(), result, other != null);
            }
            open.sinks.forEach(sink -> sink.accept(result));
        }
    }

    @Override
    public void left(Witness node, long number, long before) {
        if (!rules.hasPeer(node)) {
            return;
        }
        node.distrust(clock.getAsLong());
        node.believe(rules.believedWithout(node, number, before));
        if (node.id().equals(tracker.known().restsOn())) {
            tracker.outdate();
        }
    }

    @Override
    public void agreed(Witness node, long number) {
        long believed = rules.believedWith(node, number, tracker.known(), clock.getAsLong());
        if (believed != node.believed()) {
            node.believe(believed);
        }
    }
}
