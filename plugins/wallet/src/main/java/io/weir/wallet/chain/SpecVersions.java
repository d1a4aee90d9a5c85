package io.weir.wallet.chain;

import io.weir.api.RpcException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Which version of the specification each network speaks: asked once, and again after a while, since nodes are renewed. Thread-safe. */
final class SpecVersions {
    private static final int UNSPOKEN = -32000;
    private static final long KEPT_NANOS = Duration.ofMinutes(10).toNanos();

    private final RpcLine line;
    private final LongSupplier nanoClock;
    /** One entry for each configured network. */
    private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

    private record Known(SpecVersion version, long sinceNanos) {}

    SpecVersions(RpcLine line, LongSupplier nanoClock) {
        this.line = line;
        this.nanoClock = nanoClock;
    }

    /**
     * A network's version.
     *
     * @throws RpcException when the network cannot be asked or speaks a version that the wallet does not
     */
    SpecVersion of(L2Network network) {
        Known entry = known.get(network.name());
        if (entry != null && nanoClock.getAsLong() - entry.sinceNanos() < KEPT_NANOS) {
            return entry.version();
        }
        JsonNode answer = line.ask(network, "starknet_specVersion", JsonNodeFactory.instance.arrayNode());
        SpecVersion version = RpcLine.read("starknet_specVersion", answer, node -> SpecVersion.parse(node.asString()));
        if (!version.isSpoken()) {
            throw new RpcException(
                    UNSPOKEN,
                    "network " + network.name() + ": JSON-RPC " + version.major() + "." + version.minor()
                            + " (expected: 0.8 to 0.10)");
        }
        known.put(network.name(), new Known(version, nanoClock.getAsLong()));
        return version;
    }
}
