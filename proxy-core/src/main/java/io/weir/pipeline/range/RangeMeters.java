package io.weir.pipeline.range;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counters of one network's ranges. Thread-safe. */
final class RangeMeters {

    private final Map<End, Counter> ends = new EnumMap<>(End.class);
    private final Map<Piece, Counter> pieces = new EnumMap<>(Piece.class);

    /** End of a range that was too large for a node. */
    enum End {
        /** The logs of its pieces were joined. */
        JOINED,
        /** It needs more pieces than allowed, or a single block is refused: the client got the node's error. */
        REFUSED,
        /** Twice, blocks of the range were replaced while pieces were under way. */
        REPLACED,
        /** A piece failed, or the logs are larger than the proxy passes on. */
        FAILED
    }

    /** Outcome of a call for a piece. */
    enum Piece {
        /** A node answered. */
        ANSWERED,
        /** It was too large too. */
        REFUSED,
        /** No node answered. */
        FAILED
    }

    RangeMeters(Meters meters, String network) {
        for (End end : End.values()) {
            ends.put(end, meters.counter(Meter.LOG_RANGES, network, label(end)));
        }
        for (Piece piece : Piece.values()) {
            pieces.put(piece, meters.counter(Meter.LOG_RANGE_CALLS, network, label(piece)));
        }
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    void count(End end) {
        requireNonNull(ends.get(end)).inc();
    }

    void count(Piece piece) {
        requireNonNull(pieces.get(piece)).inc();
    }
}
