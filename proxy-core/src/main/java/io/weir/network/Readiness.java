package io.weir.network;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to health checks: whether the proxy should get requests. Thread-safe. */
public final class Readiness {

    private static final Report STARTING = new Report(false, "starting");
    private static final Report DRAINING = new Report(false, "draining");
    private static final Report READY = new Report(true, "ready");

    private final CurrentGeneration generation;

    /** Why no network counts: the proxy does not listen yet, or ends. Null while it serves. */
    private volatile @Nullable Report notServing = STARTING;

    /** Creates the readiness of a proxy that does not listen yet. */
    public Readiness(CurrentGeneration generation) {
        this.generation = generation;
    }

    /**
     * Result of a check. Immutable.
     *
     * @param text the reason, for operators
     */
    public record Report(boolean ready, String text) {}

    /** Returns the generation whose networks it checks. */
    public CurrentGeneration current() {
        return generation;
    }

    /** Notes that the JSON-RPC listener serves. */
    public void serve() {
        notServing = null;
    }

    /** Notes that the proxy is about to end: it is not ready any more. */
    public void drain() {
        notServing = DRAINING;
    }

    /** Returns whether the proxy is ready, as {@link #report()} does. */
    public boolean ready() {
        return notServing == null && serves(generation.get().networks().values());
    }

    /**
     * Returns whether the proxy is ready: at least one network that is not optional has a usable node. If all networks are optional,
     * none has to have one.
     */
    public Report report() {
        Report waiting = notServing;
        if (waiting != null) {
            return waiting;
        }
        Collection<Network> networks = generation.get().networks().values();
        List<String> missing = networks.stream()
                .filter(network -> !network.pool().usable())
                .map(network -> network.id().name())
                .sorted()
                .toList();
        boolean ready = serves(networks);
        if (missing.isEmpty()) {
            return READY;
        }
        String text = "no usable upstream: " + String.join(", ", missing);
        return new Report(ready, ready ? READY.text() + "\n" + text : text);
    }

    /** Returns whether one network is ready, be it optional or not; null if there is no such network. */
    public @Nullable Report report(String name) {
        Network network = generation.get().network(name);
        Report waiting = notServing;
        if (network == null || waiting != null) {
            return network == null ? null : waiting;
        }
        return network.pool().usable() ? READY : new Report(false, "no usable upstream: " + name);
    }

    private static boolean serves(Collection<Network> networks) {
        boolean required = false;
        for (Network network : networks) {
            if (!network.config().optional()) {
                if (network.pool().usable()) {
                    return true;
                }
                required = true;
            }
        }
        return !required;
    }
}
