package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.upstream.NodeFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one node's words about the chain. Its last head, the block up to which it is believed, and why it is out of line are
 * part of the node's state, because they also decide which calls it gets. Confined to the monitor's event loop, except for methods marked
 * as thread-safe.
 *
 * <ul>
 *   <li>A doubted witness named a head which no node had, or has a branch of its own. Its heads count only if it shows them, until it has
 *       shown one.
 *   <li>A witness that alone named its newest block, its tip, must show that a higher one leads to it.
 *   <li>An early witness named several blocks more than the chain can have by now. Such a head waits until another node names about as
 *       high a one, until its time has come, or for two block times. In these a node that makes up its heads leaves one.
 *   <li>A distrusted witness left a block that no other node ever named. For some time its blocks count only once another one has named
 *       them too.
 * </ul>
 */
public abstract class Witness {

    /** Nanoseconds for which a node is distrusted after it left a block. */
    private static final long DISTRUST_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Block times for which heads wait that come early. */
    private static final int EARLY_BLOCKS = 2;

    private volatile boolean doubted;
    private volatile @Nullable Tip tip;
    private volatile @Nullable Long earlySince;
    private @Nullable Long distrustedUntil;

    /** The newest block that it showed, as far as that is known to lead to the one before. */
    @Nullable
    BlockLink newest;
    /** A higher block of which that is not known. */
    @Nullable
    BlockLink unlinked;

    /** The last height at which it was alone with its block beside two others that agreed, and how often in a row it was. */
    private long aloneHeight = -1;

    private int aloneTimes;

    /** The last check of its head, which it did not pass. */
    @Nullable
    Failure failure;

    @Nullable
    Check check;
    /** Whether it did not answer while no head was known. */
    boolean silent;

    /** Questions outside of rounds to which it owes the answers, with those who wait. */
    final Map<Object, List<Consumer<BlockAnswer>>> open = new HashMap<>();
    /** Number of rounds to which it owes the answer. */
    int openHeads;

    /** The number of the newest block that it showed or announced last, if that counted; -1 if there is none. */
    long named = -1;

    /**
     * Block that its node alone named. Immutable.
     *
     * @param passed whether another node has named a block as high, or the node a higher one that may not lead to it
     */
    record Tip(BlockLink block, boolean passed) {}

    /**
     * Result of a check of a head. Immutable.
     *
     * @param shown the head that the node has shown; -1 if it has shown none
     * @param contradiction why the node is out of line; null if that is not known
     */
    record CheckResult(long shown, @Nullable String contradiction) {}

    /**
     * Check that a node did not pass. Immutable.
     *
     * @param compared whether another node was in line, so that the result still counts beside other nodes
     */
    record Failure(long atNanos, CheckResult result, boolean compared) {}

    /** Check in progress, with those who wait for its result. Confined to the monitor's event loop. */
    static final class Check {

        final List<Consumer<CheckResult>> sinks = new ArrayList<>();
        /** Whether the node has answered about the block that it named. */
        boolean answered;

        Check(Consumer<CheckResult> sink) {
            sinks.add(sink);
        }
    }

    /** Returns the node's id in the configuration. Thread-safe. */
    public abstract String id();

    /** Returns the node's tier; lower tiers are asked first. */
    public abstract int tier();

    /** Returns whether a call may be sent to the node now. Thread-safe. */
    public abstract boolean ready();

    /** Returns whether the node's first probe has ended, well or not. */
    public abstract boolean isHeard();

    /** Returns the last head that the node named, or the block up to which it is believed if that is lower; -1 if none. Thread-safe. */
    public abstract long head();

    /** Returns the block up to which the node's heads count; {@link Long#MAX_VALUE} unless it is distrusted. Thread-safe. */
    public abstract long believed();

    /** Notes the block up to which the node's heads count. */
    public abstract void believe(long upTo);

    /** Returns when the node last named its head or showed a higher one, on the clock. Thread-safe. */
    public abstract long headNanos();

    /** Returns whether the node is out of line; see {@link #outOfLine(String)}. */
    public abstract boolean isOutOfLine();

    /**
     * Notes whether the head that the node named counts. While it does not, the node gets no calls.
     *
     * @param reason for operators: why the head does not count; null if it counts
     */
    public abstract void outOfLine(@Nullable String reason);

    /**
     * Notes whether other nodes contradict what the node calls final. It gets calls all the same, because they depend on the agreed
     * block and never on its word alone.
     *
     * @param reason for operators: what differs; null if nothing does
     */
    public abstract void disputed(@Nullable String reason);

    /**
     * Asks the node for its head and records the answer.
     *
     * @param sink receives the head once, on the monitor's event loop, perhaps before this method returns; -1 if the node
     *     names none
     */
    protected abstract void askHead(LongConsumer sink);

    /**
     * Asks the node for a block.
     *
     * @param block the block, which is named in the form of the network
     * @param maxNanos the longest time until the answer, if it is shorter than the usual one
     * @param sink receives the answer once, on the monitor's event loop, perhaps before this method returns
     */
    protected abstract void askBlock(BlockSelector block, long maxNanos, Consumer<BlockAnswer> sink);

    /** Notes that another node named the parent of the block that it shows now, so it serves the same chain. */
    public abstract void agrees();

    /** Notes that an answer showed that the node has this block. Thread-safe. */
    public abstract void seen(long block);

    /**
     * Asks the node to announce its new blocks, on the monitor's event loop.
     *
     * @return null if the node cannot be asked for that
     */
    protected abstract @Nullable NodeFeed subscribe(NodeFeed.Listener listener);

    /** Reads an announced block; it shows none if it is unusable. */
    protected abstract BlockAnswer announced(RawJson header);

    /** Returns whether it must show its head, whatever it is. Thread-safe. */
    boolean mustShow() {
        return doubted;
    }

    /** Notes whether it must show its heads. Thread-safe. */
    void doubt(boolean on) {
        doubted = on;
    }

    /** Returns the newest block that it alone named; null if there is none. Thread-safe. */
    @Nullable
    Tip tip() {
        return tip;
    }

    void alone(@Nullable Tip own) {
        tip = own;
    }

    /**
     * Notes whether the head that it names comes early. Returns whether that head waits. Thread-safe.
     *
     * @param blockNanos the time between blocks
     */
    boolean waits(boolean early, long blockNanos, long now) {
        if (!early) {
            earlySince = null;
            return false;
        }
        Long since = earlySince;
        if (since == null) {
            earlySince = now;
        }
        return since == null || now - since < EARLY_BLOCKS * blockNanos;
    }

    void distrust(long now) {
        distrustedUntil = now + DISTRUST_NANOS;
    }

    boolean isDistrusted(long now) {
        return distrustedUntil != null && now - distrustedUntil < 0;
    }

    /** Notes that it is alone with its block at a height. Returns how often in a row it was; 0 if the height is no new one. */
    int aloneAt(long height) {
        if (height <= aloneHeight) {
            return 0;
        }
        aloneHeight = height;
        aloneTimes++;
        return aloneTimes;
    }

    /** Notes that another node has its block, or that its blocks above a height are gone. */
    void notAlone(long above) {
        if (aloneHeight > above) {
            aloneHeight = -1;
            aloneTimes = 0;
        }
    }

    /**
     * Answer of one node to a request for a block. Immutable.
     *
     * @param number the block's; -1 if the node showed none
     * @param hash the block's; empty if the node named none
     * @param parentHash the parent's; empty if the node named none
     * @param seconds the time of the block, since 1970; 0 if the node named none
     * @param block with its text; null if the node did not name its hash and its parent's
     */
    public record BlockAnswer(
            Kind kind,
            long number,
            String hash,
            String parentHash,
            long seconds,
            @Nullable ShownBlock block) {

        /** Kind of an answer. */
        public enum Kind {
            /** The node showed a block. */
            SHOWN,
            /** The node has no such block. */
            NONE,
            /** The node answered with an error. */
            REFUSED,
            /** The node answered with something that is no block. */
            UNREADABLE,
            /** The node could not be asked, or did not answer. */
            FAILED
        }

        public static BlockAnswer without(Kind kind) {
            return new BlockAnswer(kind, -1, "", "", 0, null);
        }

        /** Returns an answer that names the newest block by its number alone, or none if that is -1. */
        static BlockAnswer ofNumber(long number) {
            return new BlockAnswer(number < 0 ? Kind.FAILED : Kind.SHOWN, number, "", "", 0, null);
        }

        /** Returns an answer that shows the place of a block alone. */
        static BlockAnswer of(BlockLink block) {
            return new BlockAnswer(Kind.SHOWN, block.number(), block.hash(), block.parentHash(), 0, null);
        }

        boolean shows(long height) {
            return kind == Kind.SHOWN && number == height;
        }

        /** Returns whether the node answered that it has no such block. */
        boolean isLack() {
            return kind == Kind.NONE || kind == Kind.REFUSED;
        }
    }
}
