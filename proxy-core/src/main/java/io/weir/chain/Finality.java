package io.weir.chain;

import io.weir.chain.FinalityRules.Decided;
import io.weir.chain.FinalityRules.Words;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockTag;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of one network that are final, as its nodes say by the rules of {@link FinalityRules}. One immutable state, published by
 * a volatile write, holds what calls with a tag get, and what results depend on. Thread-safe; readers take no lock.
 *
 * <p>{@link #number} is the highest final block for results. It only rises, until the chain proves to be replaced below it. It comes
 * from the nodes' tag, from the status in their answers, or from the depth if no node has the tag. Once a node had it, the depth does
 * not count, however long the tag stands still.
 */
public final class Finality {

    /** Nanoseconds for which the depth replaces a tag in calls after the only node lacked it. */
    static final long LACKING_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * Block that a tag stands for. Immutable.
     *
     * @param number -1 if nothing is known
     * @param byDepth whether nodes lack the tag and none ever named it, so that the depth replaces it
     */
    public record Agreed(long number, boolean byDepth) {

        /** Returns whether a block or the depth replaces the tag. */
        public boolean isKnown() {
            return number >= 0 || byDepth;
        }
    }

    /** Final block with a known hash. While it is canonical, no final block was replaced. Immutable. */
    public record Anchor(long number, String hash) {}

    /**
     * Final block for results, with the one that was known before it. Immutable.
     *
     * @param tagged whether a node named it by the tag, or an earlier one
     * @param settled the highest final block that was known before the last check of the view
     */
    private record Known(
            long number,
            long stamp,
            long before,
            long beforeStamp,
            boolean tagged,
            @Nullable Anchor anchor,
            long settled) {

        Known raised(long block, HeadMoment learned, boolean byTag) {
            boolean tag = tagged || byTag;
            return block <= number
                    ? new Known(number, stamp, before, beforeStamp, tag, anchor, settled)
                    : new Known(block, learned.stamp(), number, stamp, tag, anchor, settled);
        }

        Known anchored(long block, String hash) {
            boolean lower = block > number || (anchor != null && anchor.number() >= block);
            Anchor higher = new Anchor(block, hash);
            return lower ? this : new Known(number, stamp, before, beforeStamp, tagged, higher, settled);
        }

        Known settled(long block) {
            return new Known(number, stamp, before, beforeStamp, tagged, anchor, Math.min(block, number));
        }

        Known forgotten() {
            return new Known(-1, 0, -1, 0, tagged, null, -1);
        }
    }

    /** @param statuses blocks that answers of nodes call final by their status */
    private record State(Words safe, Words finalized, Words statuses, Known known) {

        Words of(BlockTag tag) {
            return tag == BlockTag.SAFE ? safe : finalized;
        }

        State with(BlockTag tag, Words words) {
            return tag == BlockTag.SAFE
                    ? new State(words, finalized, statuses, known)
                    : new State(safe, words, statuses, known);
        }

        State with(Known now) {
            return new State(safe, finalized, statuses, now);
        }
    }

    private final HeadTracker tracker;
    private final boolean alone;
    private final long depth;
    private final boolean depthIsFinal;
    private final LongSupplier clock;
    /** When the only node lacked the tag of a call. */
    private final Map<BlockTag, Long> lackedNanos = new ConcurrentHashMap<>();

    private volatile Predicate<@Nullable RawJson> proof = block -> true;
    private volatile State state;

    /**
     * Creates an object that knows no word.
     *
     * @param tracker of the network's head; blocks above it are forgotten when it goes back
     * @param nodes the number of the network's nodes
     * @param depth blocks behind the head at which one counts as final where nodes lack the tag
     * @param depthIsFinal whether results depend on the depth; not where a proof on another chain decides what is final
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public Finality(HeadTracker tracker, int nodes, long depth, boolean depthIsFinal, LongSupplier clock) {
        this.tracker = tracker;
        this.alone = nodes < 2;
        this.depth = depth;
        this.depthIsFinal = depthIsFinal;
        this.clock = clock;
        Words none = Words.none(nodes);
        this.state = new State(none, none, none, new Known(-1, 0, -1, 0, false, null, -1));
        tracker.listen(new HeadListener() {
            @Override
            public void wentBack(long from, long to) {
                change(now ->
                        new State(now.safe().wentBack(to), now.finalized().wentBack(to), now.statuses(), now.known()));
            }
        });
    }

    /** Returns whether the network has one node, whose own word counts. */
    public boolean isAlone() {
        return alone;
    }

    /** Returns whether the depth stands for finality of results, if nodes lack the tag. */
    public boolean isDepthFinal() {
        return depthIsFinal;
    }

    /** Returns the block that replaces a tag which nodes lack. */
    public long underHead(long head) {
        return Math.max(0, head - depth);
    }

    /** Has the hashes of final blocks proven from now on by what nodes show of these. One that is not becomes no anchor. */
    public void prove(Predicate<@Nullable RawJson> ownHash) {
        proof = ownHash;
    }

    /** Returns whether the hash that a block names may become an anchor. */
    public boolean proves(@Nullable RawJson block) {
        return proof.test(block);
    }

    /** Returns the block on which nodes agree. */
    public Agreed agreed(BlockTag tag) {
        Words words = state.of(tag);
        return new Agreed(words.agreed(), words.isByDepth());
    }

    /**
     * Notes the block that a node named.
     *
     * @param nodeId the node's id in the configuration
     * @param head the network's head before the node was asked; -1 if none was known
     */
    public void named(BlockTag tag, String nodeId, long number, String hash, long head) {
        change(now -> now.with(tag, now.of(tag).named(nodeId, number, hash, head, clock.getAsLong())));
    }

    /** Notes that a node answered that it has no block with the tag. */
    public void lacks(BlockTag tag, String nodeId) {
        change(now -> now.with(tag, now.of(tag).lacks(nodeId, clock.getAsLong())));
    }

    /**
     * Draws the conclusion from the answers of one request. Results learn of it only now: each final block that they learn of makes
     * them forget when an earlier one became known.
     *
     * @param head the network's head before the nodes were asked; -1 if none was known
     * @param whole whether all nodes that can be asked have answered, so that a word may count alone
     * @param ofResults whether results learn of it: not if that head was old, because a word below it may be one for the head
     */
    public void conclude(BlockTag tag, long head, boolean whole, boolean ofResults) {
        HeadMoment learned = tracker.now();
        change(now -> {
            Words words = whole ? now.of(tag).alone(head, depth) : now.of(tag);
            State next = now.with(tag, words);
            boolean learns = ofResults && tag == BlockTag.FINALIZED;
            return learns ? next.with(learned(now.known(), words, head, learned)) : next;
        });
    }

    /** Notes that a number was used for a tag, so that no lower one is used later. */
    public void used(BlockTag tag, long number) {
        change(now -> now.with(tag, now.of(tag).used(number)));
    }

    /**
     * Compares the answers of nodes. Called once the answers of one request are noted.
     *
     * @param patienceNanos for how long honest nodes may differ
     * @return by the ids of disputed nodes, why they are
     */
    public Map<String, String> compare(BlockTag tag, long patienceNanos) {
        long head = tracker.number();
        change(now -> now.with(tag, now.of(tag).compared(head, clock.getAsLong(), patienceNanos)));
        return state.of(tag).reasons(tag, head);
    }

    /** Notes that a call showed that the only node lacks a tag. */
    public void lackedInCall(BlockTag tag) {
        lackedNanos.put(tag, clock.getAsLong());
    }

    /** Returns whether a call showed a short time ago that the only node lacks a tag. */
    public boolean isLackedInCalls(BlockTag tag) {
        Long lacked = lackedNanos.get(tag);
        return lacked != null && clock.getAsLong() - lacked < LACKING_NANOS;
    }

    /** Notes that the status in a node's answer calls a block final. Of several nodes, two must do so. */
    public void namedByStatus(String nodeId, long number) {
        if (covers(number)) {
            return;
        }
        HeadMoment learned = tracker.now();
        change(now -> {
            Words statuses = now.statuses().named(nodeId, number, "", -1, 0);
            Known known = now.known().raised(statuses.agreed(), learned, false);
            return new State(now.safe(), now.finalized(), statuses, known);
        });
    }

    /** Returns whether a block can no longer be replaced. */
    public boolean covers(long block) {
        return block <= number();
    }

    /** Returns the number of the highest final block; -1 if none is known. */
    public long number() {
        return state.known().number();
    }

    /**
     * Returns a block that was known to be final before a moment; -1 if none is known to have been. A node that was asked
     * before its block was final may have answered for another block.
     */
    public long numberBefore(HeadMoment moment) {
        return numberBefore(state.known(), moment);
    }

    private static long numberBefore(Known now, HeadMoment moment) {
        if (now.stamp() < moment.stamp()) {
            return now.number();
        }
        return now.beforeStamp() < moment.stamp() ? now.before() : -1;
    }

    /**
     * Returns whether a block was known to be final before a moment. The first block that becomes known counts for earlier
     * moments too; otherwise no result of a network's first calls could be stored.
     */
    public boolean coveredBefore(HeadMoment moment, long block) {
        Known now = state.known();
        boolean first = now.before() < 0;
        return block <= (first ? now.number() : numberBefore(now, moment));
    }

    /** Returns the highest final block with a known hash; null if there is none. */
    public @Nullable Anchor anchor() {
        return state.known().anchor();
    }

    /** Notes the hash of a block, if that block is final. */
    public void anchor(long block, String hash) {
        change(now -> now.with(now.known().anchored(block, hash)));
    }

    /** Returns the highest block that was known to be final before the view was last compared with the nodes' chain; -1 if none was. */
    public long settled() {
        return state.known().settled();
    }

    /**
     * Notes that the view was compared with the nodes' chain.
     *
     * @param block the highest one that was final at the beginning
     */
    public void settle(long block) {
        change(now -> now.with(now.known().settled(block)));
    }

    /** Forgets what is final and all words about it, because the chain was replaced below. Calls still get no lower block than before. */
    public void forget() {
        change(now -> new State(
                now.safe(),
                now.finalized().undecided(),
                now.statuses().wentBack(-1),
                now.known().forgotten()));
    }

    private Known learned(Known known, Words words, long head, HeadMoment learned) {
        Decided decided = words.decided();
        if (decided != null && !decided.atHead()) {
            Known raised = known.raised(decided.number(), learned, true);
            return decided.hash() == null ? raised : raised.anchored(decided.number(), decided.hash());
        }
        boolean isByDepth = decided == null ? words.isByDepth() : decided.number() >= head;
        return isByDepth && !known.tagged() && depthIsFinal && head >= depth
                ? known.raised(head - depth, learned, false)
                : known;
    }

    /** Called without the lock of the tracker's events, which may call this object: {@link HeadTracker#now} takes that lock. */
    private synchronized void change(UnaryOperator<State> rule) {
        state = rule.apply(state);
    }
}
