package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadAgreement;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Forwards the heads that a pool's nodes name to the tracker. Only nodes that may receive calls now count. The lowest tier
 * among them raises the head. A higher tier is asked only if the lower ones fail, so it must not attract calls by being a
 * block ahead. All nodes must agree before the head goes back. Confined to the monitor's event loop, except for methods
 * marked as thread-safe.
 *
 * <p>A head that {@link HeadAgreement} does not accept at once waits for the other nodes' heads of the round. If they do not
 * confirm it, the node must show it. A node that does not is out of line until it names a head that counts. A node
 * of which a head turned out to be missing, or that has a branch of its own, must show its heads. The heads of a distrusted node wait for
 * another node of the lowest tier, but not while the head stands still; see {@link HeadClaims}.
 */
public final class HeadFeed {

    private final HeadTracker tracker;
    private final HeadAgreement agreement;
    private final ClaimCheck checks;
    private final ReadyNodes nodes;
    private final HeadClaims claims;
    private final Branches branches;

    /**
     * Creates a feed that starts with the tracker's head.
     *
     * @param agreement says which heads count
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param wallSeconds seconds since 1970
     */
    public HeadFeed(
            HeadTracker tracker,
            HeadAgreement agreement,
            List<? extends HeadNode> nodes,
            LongSupplier clock,
            LongSupplier wallSeconds) {
        this.tracker = tracker;
        this.agreement = agreement;
        this.nodes = new ReadyNodes(nodes, clock);
        this.claims = new HeadClaims(agreement, this.nodes, tracker::outdate, clock);
        this.branches = new Branches(claims);
        this.checks = new ClaimCheck(agreement, claims, branches, clock, wallSeconds);
        tracker.listen(new HeadListener() {
            @Override
            public void wentBack(long from, long to) {
                agreement.wentBack(to);
                claims.wentBack(to);
                branches.wentBack(to);
            }
        });
    }

    /** Round in progress, with the nodes that have named their heads in it. Confined to the monitor's event loop. */
    public static final class Round {

        private final HeadRound round;
        private final Set<HeadNode> named = new HashSet<>();
        /** Heads that do not count yet. */
        private final Map<HeadNode, Long> waiting = new LinkedHashMap<>();

        private final List<Runnable> settled = new ArrayList<>();
        private int checking;

        private Round(HeadRound round) {
            this.round = round;
        }

        HeadRound round() {
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

    /** Returns the time between the chain's blocks in nanoseconds; 0 if it is not known. Thread-safe. */
    public long blockNanos() {
        return tracker.blockNanos();
    }

    /** Returns whether nodes that were asked named no new head for more than a number of block times. Thread-safe. */
    public boolean isOverdue(long blocks) {
        return tracker.isOverdue(blocks);
    }

    /** Returns whether no head is known, and some node was not heard from yet. */
    boolean isStarting() {
        return tracker.number() < 0 && !nodes.isHeard();
    }

    HeadTracker tracker() {
        return tracker;
    }

    /** Returns the nodes that may receive a call. Thread-safe. */
    List<HeadNode> ready() {
        return nodes.ready();
    }

    /** Returns the nodes of the lowest tier that may receive a call. */
    List<HeadNode> preferred() {
        return nodes.preferred();
    }

    /** Returns the nodes of the lowest tier of which new blocks are heard; the others are not believed without these. */
    List<HeadNode> sources() {
        List<HeadNode> preferred = preferred();
        List<HeadNode> trusted = preferred.stream()
                .filter(node -> node.believed() == Long.MAX_VALUE)
                .toList();
        return trusted.isEmpty() || agreement.isStill() ? preferred : trusted;
    }

    /** Returns whether another node must name a block before it counts. Nobody waits if all are distrusted. Thread-safe. */
    private boolean waits(HeadNode node, long block) {
        return block > node.believed() && preferred().stream().anyMatch(other -> other.believed() == Long.MAX_VALUE);
    }

    /** Returns whether a head that a node names now counts without being shown. Thread-safe. */
    public boolean counts(HeadNode node, long head) {
        return (head <= agreement.top() || claims.tip(node, head) == null) && isPlausible(node, head);
    }

    private boolean isPlausible(HeadNode node, long head) {
        if (waits(node, head)) {
            return false;
        }
        if (claims.mustShow(node) && !nodes.beside(node).isEmpty()) {
            return false;
        }
        return agreement.counts(head, nodes.expectedBeside(node, tracker.blockNanos()))
                && !agreement.isBetween(head, nodes.highestBeside(node))
                && !isEarly(node, head);
    }

    /** Returns whether a head waits because the chain cannot have grown so far. Thread-safe. */
    boolean isEarly(HeadNode node, long head) {
        long block = tracker.blockNanos();
        return claims.isEarly(node, head, nodes.expectedBeside(node, block), block);
    }

    /** Raises the head to a block that an answer showed, if that counts at once. Returns whether it did. Thread-safe. */
    boolean raise(HeadNode node, long block) {
        if (!isPlausible(node, block) || !claims.isNext(node, block)) {
            return false;
        }
        claims.named(node, block);
        agreement.accept(block);
        tracker.raise(block);
        return true;
    }

    /** Notes that no node had this block, to which calls were held. The node that named it must show it now. Thread-safe. */
    void missing(long number) {
        claims.missing(number);
    }

    /** Compares the newest block of a node with those of others. Returns whether it may be told, if its number counts. */
    boolean hears(HeadNode node, BlockAnswer block) {
        if (!block.hash().isEmpty() && isNear(block.number())) {
            branches.shown(node, block);
            boolean counts = block.number() > agreement.top() || claims.tip(node, block.number()) == null;
            return (counts && !waits(node, Long.MAX_VALUE)) || branches.isAgreed(block);
        }
        return true;
    }

    /** Returns whether a height may be compared. One that nobody reaches soon would displace those in use. Thread-safe. */
    boolean isNear(long number) {
        return number <= agreement.top() + HeadAgreement.MAX_LINKS;
    }

    /** Notes blocks that are or were canonical: they show what nodes named with their newest blocks. */
    void linked(List<BlockLink> blocks) {
        branches.linked(blocks.stream().filter(block -> isNear(block.number())).toList());
    }

    /** Begins a round; called before the first node is asked. */
    public Round begin() {
        return new Round(tracker.begin());
    }

    /** Begins a round for a block that a node announced. */
    Round beginAnnounced() {
        return new Round(tracker.beginAnnounced());
    }

    /** Notes the head that a node named in a round. */
    public void named(Round round, HeadNode node, long head) {
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
    boolean shown(Round round, HeadNode node, BlockAnswer block) {
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

    /**
     * Returns the highest head with which nodes may be compared. A head that merely is within the tolerated lag must not make
     * others lag.
     */
    public long confirmed() {
        return agreement.confirmed();
    }

    private void accept(HeadNode node, long head) {
        claims.named(node, head);
        agreement.accept(head);
        long highest = nodes.highestBeside(node);
        agreement.confirm(highest < 0 ? head : Math.min(head, highest));
    }

    private void take(Round round, HeadNode node, long head) {
        accept(node, head);
        node.outOfLine(null);
        if (node.ready()) {
            tracker.named(round.round, head, node.tier() == nodes.lowestTier());
        }
    }

    /** Notes the head of a node that became healthy outside a round. */
    public void returned(HeadNode node, long head) {
        if (!node.ready() && !node.isOutOfLine()) {
            return;
        }
        if (counts(node, head)) {
            raiseTo(node, head);
        } else {
            checks.check(node, head, nodes.beside(node), result -> {
                if (result.shown() >= 0) {
                    raiseTo(node, shown(node, result.shown()));
                } else if (result.contradiction() != null) {
                    node.outOfLine(result.contradiction());
                }
            });
        }
    }

    /** Notes a head that a node has shown. Returns how much of it counts. */
    private long shown(HeadNode node, long shown) {
        if (waits(node, shown) && agreement.isStill() && nodes.highestBeside(node) <= agreement.top()) {
            // The other nodes are behind, or gone. It counts until one of them has caught up.
            node.believe(Long.MAX_VALUE);
        }
        long head = waits(node, shown) ? node.believed() : isEarly(node, shown) ? agreement.top() : shown;
        agreement.confirm(head);
        claims.shown(node, head);
        return head;
    }

    private void raiseTo(HeadNode node, long head) {
        accept(node, head);
        node.outOfLine(null);
        if (node.ready() && node.tier() == nodes.lowestTier()) {
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
            nodes.whenHeard(() -> check(round));
        }
    }

    private void check(Round round) {
        takeConfirmed(round);
        if (agreement.top() < 0) {
            // Another node may have named a higher head outside this round.
            nodes.ready().stream()
                    .filter(node -> node.head() >= 0)
                    .forEach(node -> round.waiting.putIfAbsent(node, node.head()));
            checkFirst(round);
            return;
        }
        Map<HeadNode, Long> claims = new LinkedHashMap<>(round.waiting);
        round.waiting.clear();
        round.checking += claims.size();
        claims.forEach((node, head) -> checks.check(node, head, nodes.beside(node), result -> {
            checked(round, node, result);
            endCheck(round);
        }));
        endCheck(round);
    }

    /** While no head is known, the highest one that is shown counts. Then the lower ones count too, and are no heads. */
    private void checkFirst(Round round) {
        Map<HeadNode, Long> claims = Map.copyOf(round.waiting);
        round.waiting.clear();
        Map<HeadNode, ClaimCheck.Result> results = new HashMap<>();
        if (claims.isEmpty()) {
            endCheck(round);
        }
        claims.forEach((node, head) -> checks.check(node, head, nodes.beside(node), result -> {
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
    private void leaveAbove(HeadNode node, long head) {
        if (agreement.top() >= 0 && !counts(node, head) && !node.isOutOfLine()) {
            node.outOfLine(
                    "names head " + head + ", but did not show that block; another node has shown " + agreement.top());
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

    private void checked(Round round, HeadNode node, ClaimCheck.Result result) {
        if (result.shown() >= 0) {
            take(round, node, shown(node, result.shown()));
        } else if (result.contradiction() != null) {
            node.outOfLine(result.contradiction());
        } else if (node.ready() && tracker.number() >= 0 && nodes.beside(node).isEmpty()) {
            // No other node is in line, so its calls go on with the known head.
            tracker.named(round.round, tracker.number(), false);
        }
    }

    /**
     * Ends a round. A round that is never ended changes nothing.
     *
     * @param sink receives the result, after the checks of heads that other nodes did not confirm
     */
    public void end(Round round, Consumer<RoundResult> sink) {
        settle(round, () -> sink.accept(tracker.end(round.round, round.named.containsAll(nodes.ready()))));
    }
}
