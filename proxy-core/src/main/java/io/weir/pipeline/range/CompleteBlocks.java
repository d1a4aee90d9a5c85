package io.weir.pipeline.range;

import io.netty.channel.EventLoop;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of blocks of which the store behind memory has the headers, and the receipts of those with logs. It is no proof, as the store
 * drops its oldest entries. A block whose receipts are found missing is taken out. Thread-safe.
 */
final class CompleteBlocks {

    /** The shortest ranges are forgotten beyond this number. With the largest numbers they fit into a note. */
    private static final int MAX_RANGES = 100;

    private final HeaderStore store;
    private final TreeMap<Long, Long> ranges = new TreeMap<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    /** The note as it is in the store; null before it was read. */
    private volatile @Nullable String written;

    CompleteBlocks(HeaderStore store) {
        this.store = store;
    }

    /**
     * Reads what an earlier start knew, unless that is done.
     *
     * @param loop an event loop of the network's calls
     * @param then runs once, on any thread, when that is known, or cannot be read now
     */
    void open(EventLoop loop, Runnable then) {
        if (written != null) {
            then.run();
            return;
        }
        store.readNote(loop, note -> {
            if (note != null) {
                for (String range : note.split(",", -1)) {
                    if (range.matches("\\d{1,18}-\\d{1,18}")) {
                        int dash = range.indexOf('-');
                        put(Long.parseLong(range.substring(0, dash)), Long.parseLong(range.substring(dash + 1)));
                    }
                }
                written = note;
                write();
            }
            then.run();
        });
    }

    /** Returns whether all blocks of a range are complete. */
    synchronized boolean covers(BlockRange blocks) {
        Map.Entry<Long, Long> range = ranges.floorEntry(blocks.from());
        return range != null && range.getValue() >= blocks.to();
    }

    /** Notes that all blocks of a range are complete. */
    void add(BlockRange blocks) {
        if (!covers(blocks)) {
            put(blocks.from(), blocks.to());
            write();
        }
    }

    private synchronized void put(long first, long last) {
        if (first > last) {
            return;
        }
        long from = first;
        long to = last;
        Map.Entry<Long, Long> before = ranges.lowerEntry(from);
        if (before != null && before.getValue() >= from - 1) {
            from = before.getKey();
        }
        for (Map.Entry<Long, Long> next = ranges.ceilingEntry(from);
                next != null && next.getKey() <= to + 1;
                next = ranges.ceilingEntry(from)) {
            to = Math.max(to, next.getValue());
            ranges.remove(next.getKey());
        }
        ranges.put(from, to);
        if (ranges.size() > MAX_RANGES) {
            ranges.entrySet().stream()
                    .min(Comparator.comparingLong(range -> range.getValue() - range.getKey()))
                    .ifPresent(range -> ranges.remove(range.getKey()));
        }
    }

    /** Notes that a block is not complete. */
    void remove(long number) {
        synchronized (this) {
            Map.Entry<Long, Long> range = ranges.floorEntry(number);
            if (range == null || range.getValue() < number) {
                return;
            }
            ranges.remove(range.getKey());
            if (range.getKey() < number) {
                ranges.put(range.getKey(), number - 1);
            }
            if (number < range.getValue()) {
                ranges.put(number + 1, range.getValue());
            }
        }
        write();
    }

    /** Forgets all ranges. */
    void clear() {
        synchronized (this) {
            ranges.clear();
        }
        write();
    }

    /** Returns the ranges, in order, such as {@code 0-99}. */
    synchronized List<String> texts() {
        return ranges.entrySet().stream()
                .map(range -> range.getKey() + "-" + range.getValue())
                .toList();
    }

    private void write() {
        String note = String.join(",", texts());
        if (written == null || note.equals(written) || !writing.compareAndSet(false, true)) {
            return;
        }
        store.writeNote(note, done -> {
            written = done ? note : written;
            writing.set(false);
            // Others may have changed meanwhile; a note that cannot be written waits for the next change.
            if (done) {
                write();
            }
        });
    }
}
