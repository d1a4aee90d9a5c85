package io.weir.l2.deploy.sending;

import io.weir.api.PluginMeters;
import io.weir.api.PluginMeters.Counter;

/** Meters of sending. Thread-safe. */
final class DeployMeters {
    private final Counter sent;
    private final Counter joined;
    private final Counter repeated;
    private final Counter contradicted;

    DeployMeters(PluginMeters meters) {
        sent = meters.counter("sent", "Deployments given to the nodes");
        joined = meters.counter("joined", "Deployments answered together with the same one under way");
        repeated = meters.counter("repeated", "Deployments sent again lately and already in the mempool");
        contradicted = meters.counter("contradicted", "Deployments that a node took, telling another hash or address");
    }

    void countSent() {
        sent.increment();
    }

    void countJoined() {
        joined.increment();
    }

    void countRepeated() {
        repeated.increment();
    }

    void countContradicted() {
        contradicted.increment();
    }
}
