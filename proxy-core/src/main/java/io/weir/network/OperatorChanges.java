package io.weir.network;

import io.weir.config.UpstreamConfig;
import io.weir.upstream.Upstream;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes that operators made to nodes while the proxy runs, as far as they differ from the configuration. They outlive a generation: the
 * next one takes over those that are to be kept. A node has at most one change of each setting. Thread-safe.
 */
public final class OperatorChanges {

    /** Setting of a node that operators change. */
    public enum NodeSetting {
        /** Whether calls are kept from the node. */
        DRAINED("drained"),
        /** Its share of the calls. */
        WEIGHT("weight");

        private final String label;

        NodeSetting(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /**
     * Change of one setting. Immutable.
     *
     * @param weight in force; 0 for {@link NodeSetting#DRAINED}
     * @param keep whether the next generation takes it over
     * @param by the name that the operator gave; empty if none
     * @param address of the operator's connection
     */
    public record NodeChange(
            String network,
            String upstream,
            NodeSetting setting,
            int weight,
            boolean keep,
            String by,
            String address,
            Instant since) {}

    private record Key(String network, String upstream, NodeSetting setting) {}

    private final Map<Key, NodeChange> changes = new ConcurrentHashMap<>();

    /** Notes a change that is in force, in place of an earlier one of the same setting. */
    public void note(NodeChange change) {
        changes.put(new Key(change.network(), change.upstream(), change.setting()), change);
    }

    /** Forgets the change of a setting that has its configured value again. */
    public void forget(String network, String upstream, NodeSetting setting) {
        changes.remove(new Key(network, upstream, setting));
    }

    /** Returns all changes, by network, node and setting. */
    public List<NodeChange> all() {
        return changes.values().stream()
                .sorted(Comparator.comparing(NodeChange::network)
                        .thenComparing(NodeChange::upstream)
                        .thenComparing(NodeChange::setting))
                .toList();
    }

    public List<NodeChange> of(String network, String upstream) {
        return all().stream()
                .filter(change ->
                        change.network().equals(network) && change.upstream().equals(upstream))
                .toList();
    }

    /**
     * Puts the changes that are to be kept in force at the nodes of the next generation, and forgets the others. A node that both
     * generations share gets its configured values back first.
     */
    void carryTo(Generation next) {
        for (NodeChange change : all()) {
            Network network = next.network(change.network());
            Upstream node = network == null ? null : network.node(change.upstream());
            UpstreamConfig configured =
                    network == null ? null : network.config().upstreams().get(change.upstream());
            if (node == null || configured == null) {
                forget(change.network(), change.upstream(), change.setting());
            } else if (change.setting() == NodeSetting.DRAINED) {
                node.drain(change.keep());
                forgetUnless(change.keep(), change);
            } else {
                node.weigh(change.keep() ? change.weight() : configured.weight());
                forgetUnless(change.keep() && change.weight() != configured.weight(), change);
            }
        }
    }

    private void forgetUnless(boolean differs, NodeChange change) {
        if (!differs) {
            forget(change.network(), change.upstream(), change.setting());
        }
    }
}
