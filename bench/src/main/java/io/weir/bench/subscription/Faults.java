package io.weir.bench.subscription;

import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Random faults of nodes. At least one node is always without a fault. Confined to the thread of its timer. */
final class Faults {

    private static final int CHANCE_OF_SOURCE = 75;

    private final List<ForkingNode> nodes;
    private final RandomGenerator random;
    private final ScheduledExecutorService timer;
    private final Journal journal;
    private final Set<ForkingNode> faulty = new HashSet<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private int failovers;

    /** What happens to a node. */
    enum Fault {
        /** The node does not listen any more. */
        KILL(true),
        /** Calls get no answer. */
        STALL(true),
        /** The connections are reset. */
        CUT(true),
        /** A node with an open subscription announces nothing. */
        SILENCE(false),
        SLOW(false),
        /** The node follows the chain some heads behind. */
        LAG(false);

        private final boolean loses;

        Fault(boolean loses) {
            this.loses = loses;
        }
    }

    /** Creates an object that injects no faults by itself. */
    Faults(List<ForkingNode> nodes, RandomGenerator random, ScheduledExecutorService timer, Journal journal) {
        this.nodes = nodes;
        this.random = random;
        this.timer = timer;
        this.journal = journal;
    }

    /** Returns how often the node from which the proxy took its last head was lost. */
    int failovers() {
        return failovers;
    }

    /** Returns how often each fault was injected. */
    Map<Fault, Integer> counts() {
        return counts;
    }

    /** Injects a fault if a node is left without one. */
    void inject() {
        if (faulty.size() >= nodes.size() - 1) {
            return;
        }
        ForkingNode source = nodes.stream()
                .max(Comparator.comparingLong(ForkingNode::usedNanos))
                .orElseThrow();
        ForkingNode victim = random.nextInt(100) < CHANCE_OF_SOURCE ? source : nodes.get(random.nextInt(nodes.size()));
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        long millis = 100L + random.nextInt(1 + random.nextInt(1500));
        if (!faulty.add(victim)) {
            return;
        }
        if (fault.loses && victim == source) {
            failovers++;
        }
        counts.merge(fault, 1, Integer::sum);
        journal.note(fault + " " + victim + (victim == source ? ", the source," : "") + " for " + millis + " ms");
        begin(victim, fault);
        timer.schedule(() -> heal(victim, fault), millis, TimeUnit.MILLISECONDS);
    }

    private void begin(ForkingNode node, Fault fault) {
        switch (fault) {
            case KILL -> node.kill();
            case STALL -> node.stall();
            case CUT -> node.cut();
            case SILENCE -> node.silence(true);
            case SLOW -> node.slow(20 + random.nextInt(400));
            default -> node.lag(1 + random.nextInt(3));
        }
    }

    private void heal(ForkingNode node, Fault fault) {
        faulty.remove(node);
        journal.note(node + " is well");
        try {
            switch (fault) {
                case KILL -> node.start();
                case STALL -> node.resume();
                case CUT -> node.follow();
                case SILENCE -> node.silence(false);
                case SLOW -> node.slow(0);
                default -> node.lag(0);
            }
        } catch (IOException e) {
            journal.violated("the run itself: " + e);
            throw new UncheckedIOException(e);
        }
    }
}
