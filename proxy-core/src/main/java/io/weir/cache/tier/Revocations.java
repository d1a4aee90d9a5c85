package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.cache.tier.bytes.RecordStore;
import io.weir.cache.tier.bytes.RecordStore.ReadResult;
import io.weir.cache.tier.entry.TierEntry.Source;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the revocations of one network's nodes in a tier. An unproven entry holds the count of its node at the time when it was
 * stored. If the count has risen since, the entry is refused. A record of the name space holds the counts, so that they outlast a
 * restart. Thread-safe.
 *
 * <p>Several proxies may share the record. Each merges it with its own counts before it writes: the higher count of a node holds.
 * A count is at least the minutes since 1970, so that it exceeds earlier ones even if the record was lost.
 */
final class Revocations {

    /** The most nodes with a count, so that all fit into one record. */
    static final int MAX_NODES = 200;

    private static final Pattern RECORD = Pattern.compile("([0-9]{1,10}:[0-9]{1,9}( |$))+");

    private final RecordStore records;
    private final Runnable renew;
    private final IntSupplier minutes;
    /** By the fingerprint of the node's id. */
    private final Map<Integer, Integer> counts = new HashMap<>();

    /** Nodes whose last revocation is in no record yet. */
    private final Set<Integer> unwritten = new HashSet<>();

    private @Nullable String space;
    private boolean writing;

    /**
     * @param renew drops all entries, because the counts are lost
     * @param minutes since 1970
     */
    Revocations(RecordStore records, Runnable renew, IntSupplier minutes) {
        this.records = records;
        this.renew = renew;
        this.minutes = minutes;
    }

    /**
     * Reads the counts of a name space, unless they are known.
     *
     * @param sink receives, on any thread, whether they are known now
     */
    void whenRead(String path, Consumer<Boolean> sink) {
        if (isOf(path)) {
            sink.accept(true);
            return;
        }
        records.readRecord(record(path), found -> {
            Map<Integer, Integer> read = read(found);
            if (read != null) {
                begin(path, read);
            } else if (!found.failed()) {
                renew.run();
            }
            sink.accept(read != null);
        });
    }

    /** Returns the counts of a record; null if it could not be read, or is damaged. */
    private static @Nullable Map<Integer, Integer> read(ReadResult found) {
        byte[] bytes = found.bytes();
        if (bytes == null) {
            return found.failed() ? null : Map.of();
        }
        // A damaged file is read as a record without bytes.
        String text = new String(bytes, US_ASCII);
        if (!RECORD.matcher(text).matches()) {
            return null;
        }
        Map<Integer, Integer> read = new HashMap<>();
        for (String one : text.split(" ", 0)) {
            int colon = one.indexOf(':');
            int node = (int) Long.parseLong(one.substring(0, colon));
            read.put(node, Integer.valueOf(one.substring(colon + 1)));
        }
        return read;
    }

    private synchronized boolean isOf(String path) {
        return path.equals(space);
    }

    private void begin(String path, Map<Integer, Integer> read) {
        synchronized (this) {
            if (path.equals(space)) {
                return;
            }
            counts.clear();
            counts.putAll(read);
            space = path;
            unwritten.forEach(this::count);
        }
        writeIfNeeded();
    }

    /** Returns the source of an entry that is stored now. */
    synchronized Source source(int node) {
        return node == Source.NONE.node() ? Source.NONE : new Source(node, counts.getOrDefault(node, 0));
    }

    /** Returns whether the node of an entry was revoked since the entry was stored. */
    synchronized boolean isRevoked(Source source) {
        return counts.getOrDefault(source.node(), 0) > source.count();
    }

    /** Revokes all entries of a node. */
    void revoke(int node) {
        synchronized (this) {
            unwritten.add(node);
            if (space != null) {
                count(node);
            }
        }
        writeIfNeeded();
    }

    private void count(int node) {
        counts.put(node, Math.max(counts.getOrDefault(node, 0) + 1, minutes.getAsInt()));
    }

    /** Begins to write unless a write is under way; its end leads here again. */
    private void writeIfNeeded() {
        String path;
        synchronized (this) {
            path = space;
            if (path == null || writing || unwritten.isEmpty()) {
                return;
            }
            writing = true;
        }
        records.readRecord(record(path), found -> {
            Map<Integer, Integer> read = read(found);
            if (read == null) {
                written(path, Map.of(), false);
            } else {
                write(path, read);
            }
        });
    }

    private void write(String path, Map<Integer, Integer> read) {
        String text;
        Map<Integer, Integer> nodes = new HashMap<>();
        synchronized (this) {
            boolean present = path.equals(space);
            if (present) {
                read.forEach((node, count) -> counts.merge(node, count, Math::max));
            }
            unwritten.forEach(node -> nodes.put(node, counts.getOrDefault(node, 0)));
            text = present && counts.size() <= MAX_NODES ? text() : "";
        }
        if (text.isEmpty()) {
            written(path, Map.of(), false);
        } else {
            records.writeRecord(record(path), text.getBytes(US_ASCII), done -> written(path, nodes, done));
        }
    }

    private String text() {
        return counts.entrySet().stream()
                .map(entry -> Integer.toUnsignedString(entry.getKey()) + ':' + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Ends a write. A name space that is no longer in use needs no counts; those of the present one are written next. */
    private void written(String path, Map<Integer, Integer> nodes, boolean done) {
        boolean lost;
        synchronized (this) {
            writing = false;
            lost = !done && path.equals(space);
            if (lost) {
                // Without its entries the name space needs no counts either.
                unwritten.clear();
            } else if (path.equals(space)) {
                unwritten.removeIf(node -> counts.getOrDefault(node, 0).equals(nodes.get(node)));
            }
        }
        if (lost) {
            renew.run();
        }
        writeIfNeeded();
    }

    private static String record(String path) {
        return path + ":revoked";
    }
}
