package io.weir.bench.restart;

import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.node.ForkingNode;
import java.util.List;

/**
 * The lines that reloads change: in turn a key comes or goes, a node comes or goes, weights change, a network comes or goes, and the
 * settings of a network change. Immutable.
 */
record Reconfiguration(List<ForkingNode> nodes) {

    private static final int KINDS = 5;
    /** As the network that never changes has it. */
    private static final String HEALTH = "health { interval = 500 ms";

    /** Returns the lines after a number of reloads. Each differs from the one before. */
    String lines(int reloads) {
        StringBuilder lines = new StringBuilder();
        // Each kind of change has been made so many times.
        int keys = made(reloads, 1);
        int members = made(reloads, 2);
        int weights = made(reloads, 3);
        int networks = made(reloads, 4);
        int lags = made(reloads, 5);
        lines.append("networks.side { chain-id = %d%n  %s, max-lag = %d }%n"
                .formatted(ForkingChain.CHAIN_ID, HEALTH, 10 + lags));
        lines.append("  upstreams.a { url = \"%s\", weight = %d }%n".formatted(url(0), 1 + weights));
        if (members % 2 == 1) {
            lines.append("  upstreams.b { url = \"%s\" }%n".formatted(url(1)));
        }
        lines.append("}\n");
        if (networks % 2 == 1) {
            lines.append("networks.extra { chain-id = %d, upstreams.a.url = \"%s\" }%n"
                    .formatted(ForkingChain.CHAIN_ID, url(1)));
        }
        if (keys % 2 == 1) {
            lines.append("access.keys.other.sha256 = \"%064x\"%n".formatted(keys));
        }
        return lines.toString();
    }

    private static int made(int reloads, int kind) {
        return (reloads + KINDS - kind) / KINDS;
    }

    private String url(int node) {
        return "http://127.0.0.1:" + nodes.get(node).port();
    }
}
