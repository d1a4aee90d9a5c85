package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Ejections of one pool's nodes: of nodes that answer probes, but whose answers to calls are faulty or slow. At most a share of
 * the nodes is out at once for that, and never the last one that calls may use. {@link ReturnDelay} has the time that a node stays
 * out; then a good probe brings it back. Nodes that cannot be reached are down, whatever their number. Thread-safe.
 */
final class Ejections {

    private static final int WHOLE = 100;

    /** Share of the nodes that may be out at once: those that are left must carry the load of all. */
    private static final int MAX_PERCENT = 50;

    private final Meters meters;
    private final String network;
    private final List<NodeHealth> nodes = new CopyOnWriteArrayList<>();

    Ejections(Meters meters, String network) {
        this.meters = meters;
        this.network = network;
    }

    /** Adds a node of the pool. */
    Member add(NodeHealth health, String upstream) {
        nodes.add(health);
        return new Member(health, upstream);
    }

    private boolean mayEject(NodeHealth node) {
        int out = 1;
        boolean left = false;
        for (NodeHealth other : nodes) {
            if (other != node) {
                out += other.isEjected() ? 1 : 0;
                left |= other.isInPool();
            }
        }
        return left && WHOLE * out <= MAX_PERCENT * nodes.size();
    }

    /** Node that may be ejected. Thread-safe. */
    final class Member {

        private final NodeHealth health;
        private final Counter refused;
        private final EnumCounters<EjectionReason> ejected;

        private Member(NodeHealth health, String upstream) {
            this.health = health;
            this.refused = meters.counter(Meter.EJECTIONS_REFUSED, network, upstream);
            this.ejected = new EnumCounters<>(meters, Meter.EJECTIONS, EjectionReason.class, network, upstream);
        }

        /** Counts that the node comes last for a class of calls. */
        void countClass() {
            ejected.count(EjectionReason.CLASS_FAULTS);
        }

        /**
         * Ejects the node, unless too few would be left.
         *
         * @param epoch when the attempts began that say so
         * @param returnNanos time in which a probe must be answered before the node returns
         * @return whether it was in until now
         */
        boolean eject(int epoch, EjectionReason reason, String detail, long returnNanos) {
            synchronized (Ejections.this) {
                if (!mayEject(health)) {
                    refused.inc();
                    return false;
                }
                if (!health.eject(epoch, detail, returnNanos)) {
                    return false;
                }
            }
            ejected.count(reason);
            return true;
        }
    }
}
