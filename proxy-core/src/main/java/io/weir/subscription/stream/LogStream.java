package io.weir.subscription.stream;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ordered stream of the logs of one network's blocks. Logs are fetched only if a subscription may want one of them, those of
 * several blocks at the same time. A block waits for the logs of the blocks before it. Confined to the event loop of the stream.
 */
public final class LogStream {

    /** Bytes of the logs that are kept in case their block is removed. */
    private static final long MAX_KEPT_BYTES = 64L << 20;

    /** Blocks whose logs are requested at the same time. */
    private static final int MAX_AHEAD = 8;

    /** Maximum number of addresses for which logs are requested; beyond it all logs of a block are. */
    private static final int MAX_ADDRESSES = 32;

    /** Number of the subscriptions with these criteria. */
    private final Map<LogCriteria, Integer> criteria = new LinkedHashMap<>();

    private final Map<RawJson, Integer> addresses = new HashMap<>();
    private int withoutAddress;
    private final Source source;
    private final StreamTimer timer;
    private final Listener listener;
    private final int maxBlocks;
    /** Blocks whose logs are not told yet, in order. */
    private final Deque<Fetch> waiting = new ArrayDeque<>();
    /** Logs that were told, the oldest first. */
    private final Deque<Told> told = new ArrayDeque<>();

    private long keptBytes;
    private long sequence;
    /** Number of the newest block whose logs were told and have been dropped; -1 if there is none. */
    private long forgotten = -1;

    private boolean going;
    private boolean again;

    /** Source of the logs of blocks, from any node. Confined to the event loop of the stream. */
    @FunctionalInterface
    public interface Source {

        /**
         * Requests the logs of a block.
         *
         * @param addresses whose logs are wanted, in normal form; none for all
         * @param sink receives them once, perhaps before this method returns; null if no node gave them
         */
        void fetch(StreamBlock block, List<RawJson> addresses, Consumer<@Nullable BlockLogs> sink);
    }

    /** Listener of the logs of the stream's blocks, in the order of the chain. Confined to the event loop of the stream. */
    public interface Listener {

        /**
         * Handles the logs of a new block.
         *
         * @param sequence larger than that of any logs before
         */
        void added(BlockLogs logs, long sequence);

        /**
         * Handles that the block of logs is no longer canonical.
         *
         * @param sequence with which they were added
         */
        void removed(BlockLogs logs, long sequence);

        /** Handles that all wanted logs of a block were told. */
        void passed(BlockLink block);

        /**
         * Handles that the logs of a block are not known, and that the subscriptions to logs cannot go on.
         *
         * @param reason for clients, in ASCII
         */
        void lost(String reason);
    }

    private record Told(BlockLogs logs, long sequence) {}

    /** Logs of a block that are wanted: all, or those of some addresses, or none. Immutable. */
    private record Scope(boolean all, Set<RawJson> addresses) {

        static final Scope NONE = new Scope(false, Set.of());
        static final Scope ALL = new Scope(true, Set.of());

        /** Returns whether the logs of another scope are among those of this one. */
        boolean covers(Scope other) {
            return all || (!other.all && addresses.containsAll(other.addresses));
        }

        /** Returns the addresses in a fixed order; none for all. */
        List<RawJson> sorted() {
            return addresses.stream()
                    .sorted(Comparator.comparing(RawJson::toString))
                    .toList();
        }
    }

    /**
     * Creates a stream of no logs.
     *
     * @param maxBlocks the number of blocks whose logs are kept in case they are removed; 0 if the listener does not want removed logs
     */
    public LogStream(Source source, StreamTimer timer, Listener listener, int maxBlocks) {
        this.source = source;
        this.timer = timer;
        this.listener = listener;
        this.maxBlocks = maxBlocks;
    }

    /**
     * Counts a subscription.
     *
     * @param its criteria; null if it wants no logs
     * @param change 1 if it comes, -1 if it goes
     */
    public void count(@Nullable LogCriteria its, int change) {
        if (its != null) {
            count(criteria, its, change);
            its.addresses().forEach(address -> count(addresses, address, change));
            withoutAddress += its.addresses().isEmpty() ? change : 0;
        }
    }

    private static <K> void count(Map<K, Integer> counts, K key, int change) {
        counts.merge(key, change, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** Returns the logs of a block that its bloom does not rule out. */
    private Scope scope(StreamBlock block) {
        for (LogCriteria one : criteria.keySet()) {
            if (one.mayBeIn(block)) {
                boolean few = withoutAddress == 0 && addresses.size() <= MAX_ADDRESSES;
                return few ? new Scope(false, Set.copyOf(addresses.keySet())) : Scope.ALL;
            }
        }
        return Scope.NONE;
    }

    public long sequence() {
        return sequence;
    }

    /** Takes the next block. */
    public void added(StreamBlock block) {
        waiting.addLast(new Fetch(block));
        next();
    }

    /** Takes back the newest block. */
    public void removed(BlockLink block) {
        Told last = told.peekLast();
        if (!waiting.isEmpty()) {
            waiting.removeLast().drop();
        } else if (last != null && last.logs.block().hash().equals(block.hash())) {
            told.removeLast();
            keptBytes -= last.logs.bytes();
            listener.removed(last.logs, last.sequence);
        } else if (block.number() <= forgotten) {
            forgotten = -1;
            listener.lost("a reorganisation was too deep");
        }
    }

    /** Forgets everything, because the stream of blocks begins anew. */
    public void restart() {
        waiting.forEach(Fetch::drop);
        waiting.clear();
        told.clear();
        keptBytes = 0;
        forgotten = -1;
    }

    /** Goes on with the first waiting block. Answers that come at once do not recurse. */
    private void next() {
        again = true;
        if (going) {
            return;
        }
        going = true;
        try {
            while (again) {
                again = false;
                goOn();
            }
        } finally {
            going = false;
        }
    }

    private void goOn() {
        Iterator<Fetch> next = waiting.iterator();
        for (int i = 0; i < MAX_AHEAD && next.hasNext(); i++) {
            next.next().begin();
        }
        while (!waiting.isEmpty() && waiting.getFirst().isReady()) {
            again = true;
            Fetch first = waiting.removeFirst();
            first.tell();
            listener.passed(first.block.link());
        }
    }

    private void tell(BlockLogs logs) {
        if (logs.size() == 0) {
            return;
        }
        Told next = new Told(logs, ++sequence);
        if (maxBlocks == 0) {
            listener.added(logs, sequence);
            return;
        }
        told.addLast(next);
        keptBytes += logs.bytes();
        while (!told.isEmpty() && (keptBytes > MAX_KEPT_BYTES || isOld(told.getFirst(), logs))) {
            Told oldest = told.removeFirst();
            keptBytes -= oldest.logs.bytes();
            forgotten = oldest.logs.block().number();
        }
        listener.added(logs, sequence);
    }

    private boolean isOld(Told oldest, BlockLogs newest) {
        return oldest.logs.block().number() <= newest.block().number() - maxBlocks;
    }

    /** State of a fetch. */
    private enum State {
        /** Nothing is requested. */
        IDLE,
        /** The logs are requested. */
        ASKING,
        /** The logs are at hand, or none are wanted. */
        DONE,
        /** Nobody wants them any more. */
        DROPPED
    }

    /** Fetch of the logs of a waiting block. Confined to the event loop of its stream. */
    private final class Fetch {

        private final StreamBlock block;
        private Scope scope = Scope.NONE;
        private State state = State.IDLE;
        private @Nullable BlockLogs logs;
        private final GapPatience patience = new GapPatience(GapPatience.MAX_NANOS);

        Fetch(StreamBlock block) {
            this.block = block;
        }

        /** Requests the logs that subscriptions want by now, unless that is under way. */
        void begin() {
            if (state == State.ASKING || state == State.DROPPED) {
                return;
            }
            Scope now = scope(block);
            if (state == State.DONE && scope.covers(now)) {
                return;
            }
            scope = now;
            if (now.equals(Scope.NONE)) {
                logs = null;
                state = State.DONE;
            } else {
                state = State.ASKING;
                source.fetch(block, now.sorted(), this::took);
            }
        }

        /** Returns whether all logs that subscriptions want by now are at hand. */
        boolean isReady() {
            return state == State.DONE && scope.covers(scope(block));
        }

        void drop() {
            state = State.DROPPED;
        }

        void tell() {
            if (logs != null) {
                LogStream.this.tell(logs);
            }
        }

        private void took(@Nullable BlockLogs found) {
            if (state != State.ASKING) {
                return;
            }
            if (found == null) {
                failed();
            } else {
                logs = found;
                state = State.DONE;
                next();
            }
        }

        private void failed() {
            long pause = patience.missed(timer.now());
            if (pause < 0) {
                logs = null;
                scope = Scope.ALL;
                state = State.DONE;
                listener.lost("no node gave the logs of a block in time");
                next();
                return;
            }
            timer.after(pause, () -> {
                if (state == State.ASKING) {
                    state = State.IDLE;
                    begin();
                    next();
                }
            });
        }
    }
}
