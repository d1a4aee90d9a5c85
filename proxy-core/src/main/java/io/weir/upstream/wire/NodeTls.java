package io.weir.upstream.wire;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS of connections to a node. Thread-safe. */
public final class NodeTls {

    private NodeTls() {}

    /**
     * Returns the TLS context for an address; null if the address does not ask for TLS.
     *
     * @param trust the trust to apply; null for the system's
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
