package io.weir.upstream.pool;

import io.weir.upstream.pool.SimulatedNode.Condition;
import io.weir.upstream.pool.SimulatedNode.Phase;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Plan of the conditions of all nodes of a simulation: first partitions, of which each parts some nodes, then other conditions of
 * single nodes. Immutable.
 *
 * @param fromNanos the first fault begins later
 * @param untilNanos the last one begins earlier
 */
record SimulatedFaults(long fromNanos, long untilNanos, Random random) {

    private static final long MAX_FAULT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);
    private static final int MAX_BEHIND = 8;
    private static final List<Condition> OF_ONE = List.of(Condition.values()).stream()
            .filter(condition -> condition != Condition.GOOD && condition != Condition.PARTED)
            .toList();

    void plan(List<SimulatedNode> nodes) {
        if (random.nextInt(3) == 0) {
            part(nodes);
        }
        nodes.forEach(this::planOne);
    }

    private void part(List<SimulatedNode> nodes) {
        long from = fromNanos + upTo(untilNanos - fromNanos);
        long until = from + upTo(MAX_FAULT_NANOS);
        double share = random.nextDouble();
        for (SimulatedNode node : nodes) {
            if (random.nextDouble() < share) {
                node.plan(new Phase(from, until, Condition.PARTED, 0));
            }
        }
    }

    private void planOne(SimulatedNode node) {
        long at = fromNanos + upTo(MAX_PAUSE_NANOS);
        while (at < untilNanos) {
            Condition condition = OF_ONE.get(random.nextInt(OF_ONE.size()));
            long until = at + upTo(MAX_FAULT_NANOS);
            node.plan(new Phase(at, until, condition, 1 + random.nextInt(MAX_BEHIND)));
            at = until + upTo(MAX_PAUSE_NANOS);
        }
    }

    private long upTo(long nanos) {
        return 1 + (long) (random.nextDouble() * nanos);
    }
}
