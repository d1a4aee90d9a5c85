package io.weir.bench.subscription.anvil;

import io.weir.bench.subscription.client.Journal;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Random faults of anvils. At least one is always without a fault. Confined to the thread of its timer. */
public final class AnvilFaults {

    private static final int MAX_MILLIS = 1500;
    private static final int CHANCE_OF_BUSIEST = 75;

    private final List<RepeatingNode> nodes;
    private final Supplier<Optional<String>> busiest;
    private final RandomGenerator random;
    private final ScheduledExecutorService timer;
    private final Journal journal;
    private final Set<RepeatingNode> faulty = new HashSet<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private int failovers;

    /** What happens to a node. */
    public enum Fault {
        /** SIGKILL. Its next process makes all steps anew. */
        KILL,
        /** SIGSTOP. */
        STOP
    }

    /**
     * Creates an object that injects no faults by itself.
     *
     * @param busiest returns the name of the node that got the most calls since the last fault
     */
    public AnvilFaults(
            List<RepeatingNode> nodes,
            Supplier<Optional<String>> busiest,
            RandomGenerator random,
            ScheduledExecutorService timer,
            Journal journal) {
        this.nodes = nodes;
        this.busiest = busiest;
        this.random = random;
        this.timer = timer;
        this.journal = journal;
    }

    /** Returns how often each fault was injected. */
    public Map<Fault, Integer> counts() {
        return counts;
    }

    /** Returns how many faults were injected. */
    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how often the node was lost that had got the most calls since the fault before. */
    public int failovers() {
        return failovers;
    }

    /** Injects a fault if another node is without one and has made all steps. */
    public void inject() throws IOException, InterruptedException {
        RepeatingNode any = nodes.get(random.nextInt(nodes.size()));
        String used = busiest.get().orElse("");
        RepeatingNode source = nodes.stream()
                .filter(node -> node.toString().equals(used))
                .findAny()
                .orElse(any);
        RepeatingNode victim = random.nextInt(100) < CHANCE_OF_BUSIEST ? source : any;
        boolean another =
                nodes.stream().anyMatch(node -> node != victim && !faulty.contains(node) && node.isUpToDate());
        if (!another || faulty.contains(victim) || !victim.isUpToDate()) {
            return;
        }
        Fault fault = random.nextInt(3) == 0 ? Fault.KILL : Fault.STOP;
        long millis = 100L + random.nextInt(1 + random.nextInt(MAX_MILLIS));
        faulty.add(victim);
        counts.merge(fault, 1, Integer::sum);
        boolean isUsed = victim.toString().equals(used);
        failovers += isUsed ? 1 : 0;
        journal.note(fault + " " + victim + (isUsed ? ", in use," : "") + " for " + millis + " ms");
        if (fault == Fault.KILL) {
            victim.kill();
        } else {
            victim.stop();
        }
        timer.schedule(() -> heal(victim, fault), millis, TimeUnit.MILLISECONDS);
    }

    private void heal(RepeatingNode victim, Fault fault) {
        faulty.remove(victim);
        journal.note(victim + " is well");
        try {
            if (fault == Fault.KILL) {
                victim.start();
            } else {
                victim.resume();
            }
        } catch (IOException e) {
            journal.violated("the run itself: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
