package io.weir.app.start;

import io.netty.channel.EventLoopGroup;
import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.metrics.GaugeScope;
import io.weir.metrics.Meters;
import io.weir.network.Network;
import io.weir.network.NetworkAssembly;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The networks that serve, and those that a reload replaced or removed and that still finish calls. Confined to one thread at a time,
 * except for {@link #finishing}.
 *
 * <p>A network whose settings did not change stays as it is. Another one is built anew. Its results in memory have a name of their
 * own, because the replaced network still stores the answers to its last calls.
 */
final class LiveNetworks implements AutoCloseable {

    private final NetworkAssembly assembly;
    private final NodeClients clients;
    private final Function<NetworkConfig, NetworkKind> kinds;
    private final EventLoopGroup loops;
    private final Meters meters;
    private final List<Live> finishing = new CopyOnWriteArrayList<>();
    private Map<String, Live> serving = Map.of();

    /**
     * A network with the name of its results in memory. Immutable.
     *
     * @param gauges show while it serves
     * @param kept whether an earlier configuration had it too
     */
    private record Live(Network network, String space, GaugeScope gauges, boolean kept) {

        Live with(NetworkConfig config) {
            return new Live(network.with(config), space, gauges, true);
        }

        /** Closes it without regard to its results, which end with the memory. */
        void end() {
            network.pool().close();
            gauges.close();
        }

        void drop() {
            end();
            network.cache().close();
        }
    }

    /** The networks of a configuration, of which none was published yet. Immutable. */
    record Candidates(Map<String, Live> all) {

        Map<String, Network> networks() {
            Map<String, Network> networks = new LinkedHashMap<>();
            all.forEach((name, live) -> networks.put(name, live.network()));
            return networks;
        }
    }

    LiveNetworks(
            NetworkAssembly assembly,
            NodeClients clients,
            Function<NetworkConfig, NetworkKind> kinds,
            EventLoopGroup loops,
            Meters meters) {
        this.meters = meters;
        this.assembly = assembly;
        this.clients = clients;
        this.kinds = kinds;
        this.loops = loops;
    }

    /**
     * Builds the networks of a configuration, as far as they do not run already. Nothing of the running ones changes.
     *
     * @throws IllegalArgumentException if a plugin cannot open a node; nothing is left of the candidates then
     */
    Candidates build(Collection<NetworkConfig> configs) {
        Map<String, Live> all = new LinkedHashMap<>();
        try {
            for (NetworkConfig config : configs) {
                Live running = serving.get(config.name());
                if (running != null && running.network().config().servesLike(config)) {
                    all.put(config.name(), running.with(config));
                } else {
                    all.put(config.name(), anew(config));
                }
            }
            return new Candidates(all);
        } catch (RuntimeException | Error e) {
            drop(new Candidates(all));
            throw e;
        }
    }

    private Live anew(NetworkConfig config) {
        String space = freeSpace(config.name());
        GaugeScope gauges = meters.scope();
        Network network = assembly.assemble(config, kinds.apply(config), space, gauges.meters());
        return new Live(network, space, gauges, false);
    }

    /** Closes candidates that are not to serve. */
    void drop(Candidates candidates) {
        candidates.all.values().stream().filter(live -> !live.kept()).forEach(Live::drop);
    }

    /** Returns the first name of results that no network has: the network's own, or that with a number. */
    private String freeSpace(String network) {
        Set<String> taken = new HashSet<>();
        serving.values().forEach(live -> taken.add(live.space()));
        finishing.forEach(live -> taken.add(live.space()));
        String space = network;
        for (int number = 1; taken.contains(space); number++) {
            // No network's name has this sign.
            space = network + "#" + number;
        }
        return space;
    }

    /** Starts the networks that are new, and waits until their nodes are known, or for a time. */
    void start(Candidates next, long maxMillis) throws InterruptedException {
        List<Network> started = next.all.values().stream()
                .filter(live -> !live.kept())
                .map(Live::network)
                .toList();
        CountDownLatch known = new CountDownLatch(started.size());
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(maxMillis);
        for (Network network : started) {
            network.pool().start();
            if (maxMillis > 0) {
                network.pool().whenProbed(loops.next(), deadline, known::countDown);
            }
        }
        if (maxMillis > 0 && !known.await(maxMillis, TimeUnit.MILLISECONDS)) {
            // Calls wait for the first probe themselves.
            return;
        }
    }

    /** Notes that the candidates serve. Returns those that do so no more, and finish calls until they are retired. */
    List<Network> serve(Candidates next) {
        List<Live> replaced = serving.values().stream()
                .filter(live -> {
                    Live now = next.all.get(live.network().id().name());
                    return now == null || !now.network().serves(live.network());
                })
                .toList();
        finishing.addAll(replaced);
        serving = next.all;
        serving.values().forEach(live -> live.gauges().show());
        clients.serve(
                next.all.values().stream().map(live -> live.network().config()).toList());
        return replaced.stream().map(Live::network).toList();
    }

    /** Closes networks that no call uses any more. */
    void retire(List<Network> networks) {
        List<Live> ended = finishing.stream()
                .filter(live -> networks.contains(live.network()))
                .toList();
        ended.forEach(Live::drop);
        finishing.removeAll(ended);
    }

    /** Returns the number of networks that still finish calls. Thread-safe. */
    int finishing() {
        return finishing.size();
    }

    @Override
    public void close() {
        finishing.forEach(Live::end);
        finishing.clear();
        serving.values().forEach(Live::end);
        serving = Map.of();
    }
}
