package io.weir.upstream.wire;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What secures connections to a node. Thread-safe. */
public final class NodeTls {

    private NodeTls() {}

    /**
     * What secures connections to an address; null where it does not ask for that.
     *
     * @param trust whom to trust; null for whom the system does
     */
    public static @Nullable SslContext of(NodeAddress address, @Nullable SslContext trust) {
        if (!address.tls()) {
            return null;
        }
        return trust == null ? systemTrust() : trust;
    }

    private static SslContext systemTrust() {
        try {
            return SslContextBuilder.forClient()
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                    .endpointIdentificationAlgorithm("HTTPS")
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("TLS: not available (expected: the system's trusted certificates)", e);
        }
    }
}
