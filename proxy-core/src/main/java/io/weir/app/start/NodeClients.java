package io.weir.app.start;

import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.metrics.Meters;
import io.weir.network.NetworkAssembly;
import io.weir.plugin.PluginCatalogue;
import io.weir.plugin.PluginException;
import io.weir.tls.ClientCertificates;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeClient;
import io.weir.upstream.SharedNodeClient;
import io.weir.upstream.link.BatchWindow;
import io.weir.upstream.link.BatchWindow.Batching;
import io.weir.upstream.link.SocketNodeClient;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The factory of the clients of nodes. A node whose settings did not change keeps its client, and with it its connections, when
 * another network of the same name replaces its own. Confined to the thread that builds networks; clients may be closed on any thread.
 */
final class NodeClients {

    private final PluginCatalogue plugins;
    private final SocketNodeClient.Resources sockets;
    private final Certificates certificates;
    private final Meters meters;
    private final Map<Node, Open> open = new ConcurrentHashMap<>();

    /** A client with its certificates; null without TLS. Immutable. */
    private record Open(SharedNodeClient client, @Nullable ClientCertificates certificates) {}

    /** A node as its client depends on it. Immutable. */
    private record Node(String network, String kind, UpstreamConfig config) {

        static Node of(NetworkConfig network, UpstreamConfig upstream) {
            return new Node(network.name(), network.kind(), upstream);
        }
    }

    /** @param certificates those for nodes */
    NodeClients(PluginCatalogue plugins, SocketNodeClient.Resources sockets, Certificates certificates, Meters meters) {
        this.plugins = plugins;
        this.sockets = sockets;
        this.certificates = certificates;
        this.meters = meters;
    }

    /** Returns the client of a network's node, which the caller closes. */
    NodeClient client(NetworkConfig network, UpstreamConfig upstream) {
        Node node = Node.of(network, upstream);
        Open known = open.get(node);
        NodeClient shared = known == null ? null : known.client().use();
        if (shared != null) {
            return shared;
        }
        ClientCertificates tls = certificates.node(network, upstream);
        SharedNodeClient opened;
        try {
            opened = made(network, upstream, tls);
        } catch (RuntimeException | Error e) {
            forget(tls);
            throw e;
        }
        open.put(node, new Open(opened, tls));
        return Objects.requireNonNull(opened.use());
    }

    void serve(Collection<NetworkConfig> networks) {
        for (NetworkConfig network : networks) {
            for (UpstreamConfig upstream : network.upstreams().values()) {
                Open one = open.get(Node.of(network, upstream));
                if (one != null && one.certificates() != null) {
                    certificates.show(one.certificates());
                }
            }
        }
    }

    private void closed(@Nullable ClientCertificates tls) {
        open.values().removeIf(one -> one.client().isClosed());
        forget(tls);
    }

    private void forget(@Nullable ClientCertificates tls) {
        if (tls != null) {
            certificates.forget(tls);
        }
    }

    private SharedNodeClient made(NetworkConfig network, UpstreamConfig upstream, @Nullable ClientCertificates tls) {
        Runnable closed = () -> closed(tls);
        if (NetworkCheck.isWebSocket(upstream)) {
            return new SharedNodeClient(webSocket(network, upstream, tls), null, closed);
        }
        NodeClient calls = callClient(network, upstream, tls);
        try {
            NodeClient subscriptions = upstream.wsUrl() == null ? null : webSocket(network, upstream, tls);
            return new SharedNodeClient(calls, subscriptions, closed);
        } catch (RuntimeException | Error e) {
            calls.close();
            throw e;
        }
    }

    private NodeClient webSocket(NetworkConfig network, UpstreamConfig upstream, @Nullable ClientCertificates tls) {
        return SocketNodeClient.ofWebSocket(upstream, sockets, meters, network.name(), tls);
    }

    private NodeClient callClient(NetworkConfig network, UpstreamConfig upstream, @Nullable ClientCertificates tls) {
        if (NetworkCheck.isHttp(upstream)) {
            return SocketNodeClient.ofHttp(upstream, sockets, tls, batching(network, upstream))
                    .asksFirst(new ChainQuestion(kind(network), network.chainId()));
        }
        try {
            return plugins.openNode(
                    upstream.address().getScheme(), upstream.address().getSchemeSpecificPart());
        } catch (PluginException e) {
            throw new IllegalArgumentException(Failures.oneLine(e), e);
        }
    }

    private NetworkKind kind(NetworkConfig network) {
        return Objects.requireNonNull(NetworkCheck.kinds(plugins).get(network.kind()), "kind");
    }

    private @Nullable Batching batching(NetworkConfig network, UpstreamConfig upstream) {
        if (upstream.batchSize() == 1) {
            return null;
        }
        return Batching.of(
                upstream.batchSize(),
                NetworkAssembly.catalogue(kind(network)).batchable(),
                new BatchWindow.Counters(meters, network.name(), upstream.id()));
    }
}
