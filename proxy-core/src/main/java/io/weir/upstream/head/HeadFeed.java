package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.chain.KnownHead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the heads that a pool's nodes name to the tracker. Only nodes that may receive calls now count. The lowest tier
 * among them raises the head. A higher tier is asked only if the lower ones fail, so it must not attract calls by being a
 * block ahead. All nodes must agree before the head goes back. Confined to the monitor's event loop, except for methods
 * marked as thread-safe.
 *
 * <p>A head that {@link HeadRules} do not accept at once waits for the other nodes' heads of the round. If they do not
 * confirm it, the node must show it. A node that does not is out of line until it names a head that counts. A node
 * of which a head turned out to be missing, or that has a branch of its own, must show its heads. The heads of a distrusted node wait for
 * another node of the lowest tier, but not while the head stands still; see {@link Witness}.
 */
public final class HeadFeed {

    private final HeadTracker tracker;
    private final LongSupplier clock;
    private final LongSupplier wallSeconds;
    private final List<Witness> witnesses;
    private final HeadRules rules;
    private final Questions questions;
    private final Branches branches;
    private final ClaimCheck checks;

    /**
     * Creates a feed that starts with the tracker's head.
     *
     * @param maxLag blocks by which a node may be ahead of all others
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param wallSeconds seconds since 1970
     * @param byBlock whether nodes show their newest block; else they only name its number
     */
    public HeadFeed(
            HeadTracker tracker,
            long maxLag,
            List<? extends Witness> nodes,
            LongSupplier clock,
            LongSupplier wallSeconds,
            boolean byBlock) {
        this.tracker = tracker;
        this.clock = clock;
        this.wallSeconds = wallSeconds;
        this.witnesses = List.copyOf(nodes);
        this.rules = new HeadRules(witnesses, maxLag);
        this.questions = new Questions(tracker, byBlock);
        Branches.Listener learned = new Learned();
        this.branches = new Branches(witnesses, learned);
        this.checks = new ClaimCheck(tracker, rules, questions, branches, learned, clock, wallSeconds);
        tracker.listen(branches);
    }

    /** Effects of what comparing blocks shows on the trust in nodes. Confined to the monitor's event loop. */
    private final class Learned implements Branches.Listener {

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

    /** Round in progress, with the nodes that have named their heads in it. Confined to the monitor's event loop. */
    public static final class Round {

        private final HeadMoment round;
        private final Set<Witness> named = new HashSet<>();
        /** Heads that do not count yet. */
        private final Map<Witness, Long> waiting = new LinkedHashMap<>();

        private final List<Runnable> settled = new ArrayList<>();
        private int checking;
        private long highest = -1;

        private Round(HeadMoment round) {
            this.round = round;
        }

        HeadMoment round() {
            return round;
        }

        /** Returns whether a node has named its head. */
        boolean hasAnswers() {
            return !named.isEmpty();
        }

        /** Returns whether heads are being checked. */
        boolean isChecking() {
            return checking > 0;
        }

        /** Returns whether a head waits for those of other nodes. */
        boolean isWaiting() {
            return !waiting.isEmpty();
        }
    }

    /** Returns whether no head is known, and some node was not heard from yet. */
    boolean isStarting() {
        return tracker.number() < 0 && !rules.isHeard();
    }

    public HeadTracker tracker() {
        return tracker;
    }

    /** Returns the seconds since 1970. */
    long wallSeconds() {
        return wallSeconds.getAsLong();
    }

    HeadRules rules() {
        return rules;
    }

    /** Returns whether the network has one node. */
    boolean isAlone() {
        return witnesses.size() == 1;
    }

    Questions questions() {
        return questions;
    }

    /** Returns the nodes of the lowest tier of which new blocks are heard. */
    List<Witness> sources() {
        return rules.sources(tracker.known(), clock.getAsLong());
    }

    /** Forgets which head the others than a node named last. */
    void forgetNamed(Witness witness) {
        witnesses.stream().filter(one -> !one.equals(witness)).forEach(one -> one.named = -1);
    }

    /** Returns the node with an id; null if there is none. Thread-safe. */
    @Nullable
    Witness witness(String id) {
        return witnesses.stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private HeadRules.Moment moment() {
        return new HeadRules.Moment(tracker.known(), tracker.blockNanos(), clock.getAsLong());
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

    /** Raises the head to a block that an answer showed, if that counts at once. Returns whether it did. Thread-safe. */
    boolean raise(Witness node, long block) {
        if (!isPlausible(node, block) || !rules.isNext(node, block)) {
            return false;
        }
        tracker.accept(block, node.id());
        tracker.raise(block);
        return true;
    }

    /** Notes that no node had this block, to which calls were held. The node that named it must show it now. Thread-safe. */
    void missing(long number) {
        KnownHead known = tracker.known();
        Witness node = known.restsOn() == null ? null : witness(known.restsOn());
        if (node != null && known.top() == number) {
            node.doubt(true);
        }
    }

    /** Compares the newest block of a node with those of others. Returns whether it may be told, if its number counts. */
    boolean hears(Witness node, BlockAnswer block) {
        KnownHead known = tracker.known();
        if (!block.hash().isEmpty() && HeadRules.isNear(known, block.number())) {
            branches.shown(node, block);
            boolean counts = block.number() > known.top() || rules.tip(node, block.number()) == null;
            return (counts && !rules.waits(node, Long.MAX_VALUE)) || branches.isAgreed(block);
        }
        return true;
    }

    /** Notes blocks that are or were canonical: they show what nodes named with their newest blocks. */
    void linked(List<BlockLink> blocks) {
        KnownHead known = tracker.known();
        branches.linked(blocks.stream()
                .filter(block -> HeadRules.isNear(known, block.number()))
                .toList());
    }

    /** Begins a round; called before the first node is asked. */
    public Round begin() {
        return new Round(tracker.now());
    }

    /** Begins a round for a block that a node announced. */
    Round beginAnnounced() {
        return new Round(tracker.announced());
    }

    /** Notes the head that a node named in a round. */
    public void named(Round round, Witness node, long head) {
        if (!node.ready() && !node.isOutOfLine()) {
            return;
        }
        round.named.add(node);
        round.waiting.put(node, head);
        takeConfirmed(round);
    }

    /**
     * Notes the newest block that a node showed in a round of its own. A block that does not count yet is checked.
     *
     * @return whether the block counts now
     */
    boolean shown(Round round, Witness node, BlockAnswer block) {
        boolean heard = hears(node, block);
        named(round, node, block.number());
        if (round.isWaiting()) {
            settle(round, () -> {});
            return false;
        }
        node.seen(block.number());
        return heard;
    }

    /** Takes the heads of a round that count by now: each head may confirm those before it. */
    private void takeConfirmed(Round round) {
        round.waiting.entrySet().removeIf(one -> {
            boolean counts = counts(one.getKey(), one.getValue());
            if (counts) {
                take(round, one.getKey(), one.getValue());
            }
            return counts;
        });
    }

    private void accept(Witness node, long head) {
        tracker.accept(head, node.id());
        long highest = rules.highestBeside(node);
        tracker.confirm(highest < 0 ? head : Math.min(head, highest));
    }

    private void take(Round round, Witness node, long head) {
        accept(node, head);
        node.outOfLine(null);
        if (node.ready()) {
            named(round, head, node.tier() == rules.lowestTier());
        }
    }

    private void named(Round round, long head, boolean raises) {
        round.highest = Math.max(round.highest, head);
        tracker.named(round.round, head, raises);
    }

    /** Notes the head of a node that became healthy outside a round. */
    public void returned(Witness node, long head) {
        if (!node.ready() && !node.isOutOfLine()) {
            return;
        }
        if (counts(node, head)) {
            raiseTo(node, head);
        } else {
            checks.check(node, head, rules.beside(node), result -> {
                if (result.shown() >= 0) {
                    raiseTo(node, shown(node, result.shown()));
                } else if (result.contradiction() != null) {
                    node.outOfLine(result.contradiction());
                }
            });
        }
    }

    /** Notes a head that a node has shown. Returns how much of it counts. */
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

    private void raiseTo(Witness node, long head) {
        accept(node, head);
        node.outOfLine(null);
        if (node.ready() && node.tier() == rules.lowestTier()) {
            tracker.raise(head);
        }
    }

    /**
     * Checks the heads that wait, because no further node will confirm them.
     *
     * @param done runs once all checks of the round have ended, perhaps before this method returns
     */
    void settle(Round round, Runnable done) {
        takeConfirmed(round);
        round.settled.add(done);
        round.checking++;
        if (round.waiting.isEmpty()) {
            endCheck(round);
        } else {
            // After a pause, and of nodes that no call uses, heads may be too old to compare with.
            whenHeard(() -> check(round));
        }
    }

    /** Runs an action once nodes were asked for their heads that were not heard from lately. */
    private void whenHeard(Runnable action) {
        long now = clock.getAsLong();
        List<Witness> silent = rules.ready().stream()
                .filter(one -> now - one.headNanos() > ClaimCheck.PAUSE_NANOS)
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

    private void check(Round round) {
        takeConfirmed(round);
        if (tracker.known().top() < 0) {
            // Another node may have named a higher head outside this round.
            rules.ready().stream()
                    .filter(node -> node.head() >= 0)
                    .forEach(node -> round.waiting.putIfAbsent(node, node.head()));
            checkFirst(round);
            return;
        }
        Map<Witness, Long> claims = new LinkedHashMap<>(round.waiting);
        round.waiting.clear();
        round.checking += claims.size();
        claims.forEach((node, head) -> checks.check(node, head, rules.beside(node), result -> {
            checked(round, node, result);
            endCheck(round);
        }));
        endCheck(round);
    }

    /** While no head is known, the highest one that is shown counts. Then the lower ones count too, and are no heads. */
    private void checkFirst(Round round) {
        Map<Witness, Long> claims = new LinkedHashMap<>(round.waiting);
        round.waiting.clear();
        Map<Witness, Witness.CheckResult> results = new LinkedHashMap<>();
        if (claims.isEmpty()) {
            endCheck(round);
        }
        claims.forEach((node, head) -> checks.check(node, head, rules.beside(node), result -> {
            results.put(node, result);
            if (results.size() == claims.size()) {
                results.entrySet().stream()
                        .sorted(Comparator.comparingLong(one -> -one.getValue().shown()))
                        .forEach(one -> checked(round, one.getKey(), one.getValue()));
                claims.forEach(this::leaveAbove);
                endCheck(round);
            }
        }));
    }

    /** Sends no calls to a node whose first head could not be checked, if another one counts: it may hang. */
    private void leaveAbove(Witness node, long head) {
        if (tracker.known().top() >= 0 && !counts(node, head) && !node.isOutOfLine()) {
            node
                .outOfLine("names head " + head + ", but did not show that block; another node has shown "
                            + tracker.known().top());
        }
    }

    private static void endCheck(Round round) {
        round.checking--;
        if (round.checking == 0) {
            List<Runnable> settled = List.copyOf(round.settled);
            round.settled.clear();
            settled.forEach(Runnable::run);
        }
    }

    private void checked(Round round, Witness node, Witness.CheckResult result) {
        if (result.shown() >= 0) {
            take(round, node, shown(node, result.shown()));
        } else if (result.contradiction() != null) {
            node.outOfLine(result.contradiction());
        } else if (node.ready()
                && tracker.number() >= 0
                && rules.beside(node).isEmpty()) {
            // No other node is in line, so its calls go on with the known head.
            named(round, tracker.number(), false);
        }
    }

    /**
     * Ends a round. A round that is never ended changes nothing.
     *
     * @param sink receives the result, after the checks of heads that other nodes did not confirm
     */
    public void end(Round round, Consumer<RoundResult> sink) {
        settle(round, () -> sink.accept(tracker.end(round.round, round.highest, round.named.containsAll(rules.ready()))));
    }
}
