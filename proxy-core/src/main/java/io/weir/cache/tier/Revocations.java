package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.cache.tier.bytes.RecordStore;
import io.weir.cache.tier.entry.TierEntry.Source;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the revocations of one network's nodes in a tier. An unproven entry holds the count of its node at the time when it was
 * stored. If the count has risen since, the entry is refused. A record of the name space holds the counts, so that they outlast a
 * restart. Thread-safe.
 */
final class Revocations {

    /** The most nodes with a count, so that all fit into one record. */
    static final int MAX_NODES = 200;

    private static final Pattern RECORD = Pattern.compile("([0-9]{1,10}:[0-9]{1,9}( |$))+");

    private final RecordStore records;
    private final Runnable renew;
    /** By the fingerprint of the node's id. */
    private final Map<Integer, Integer> counts = new HashMap<>();

    /** Nodes that were revoked before a record was read. */
    private final Set<Integer> early = new HashSet<>();

    private @Nullable String space;
    private boolean writing;
    private boolean changed;

    /** @param renew drops all entries, because the counts are lost */
    Revocations(RecordStore records, Runnable renew) {
        this.records = records;
        this.renew = renew;
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
            byte[] bytes = found.bytes();
            String text = bytes == null ? "" : new String(bytes, US_ASCII);
            // A damaged file is read as a record without bytes.
            boolean damaged = bytes != null && !RECORD.matcher(text).matches();
            if (damaged) {
                renew.run();
            } else if (!found.failed()) {
                begin(path, text);
            }
            sink.accept(!found.failed() && !damaged);
        });
    }

    private synchronized boolean isOf(String path) {
        return path.equals(space);
    }

    private void begin(String path, String text) {
        Set<Integer> open;
        synchronized (this) {
            if (path.equals(space)) {
                return;
            }
            counts.clear();
            for (String one : text.isEmpty() ? new String[0] : text.split(" ")) {
                int colon = one.indexOf(':');
                int node = (int) Long.parseLong(one.substring(0, colon));
                counts.put(node, Integer.valueOf(one.substring(colon + 1)));
            }
            space = path;
            open = Set.copyOf(early);
            early.clear();
        }
        open.forEach(this::revoke);
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
        String path;
        boolean fits;
        synchronized (this) {
            path = space;
            if (path == null) {
                early.add(node);
                return;
            }
            counts.merge(node, 1, Integer::sum);
            fits = counts.size() <= MAX_NODES;
            changed = true;
            if (writing && fits) {
                return;
            }
            writing = fits;
        }
        if (fits) {
            write(path);
        } else {
            renew.run();
        }
    }

    /** One write at a time, so that the last one has the latest counts. */
    private void write(String path) {
        String text;
        synchronized (this) {
            changed = false;
            text = counts.entrySet().stream()
                    .map(entry -> Integer.toUnsignedString(entry.getKey()) + ':' + entry.getValue())
                    .collect(Collectors.joining(" "));
        }
        records.writeRecord(record(path), text.getBytes(US_ASCII), written -> {
            boolean again;
            synchronized (this) {
                again = written && changed && path.equals(space);
                writing = again;
            }
            if (again) {
                write(path);
            } else if (!written) {
                renew.run();
            }
        });
    }

    private static String record(String path) {
        return path + ":revoked";
    }
}
