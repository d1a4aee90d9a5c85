package io.weir.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the connections to a node. Immutable.
 *
 * @param ca the authorities that the node's certificate must come from; null for those of the system
 * @param client the certificate that the proxy shows to the node; null for none
 * @param acceptAnyCertificate whether nothing of the node's certificate is checked
 */
public record UpstreamTlsConfig(@Nullable Path ca, TlsConfig.@Nullable KeyFiles client, boolean acceptAnyCertificate) {

    /** The system's authorities, and no certificate of the proxy. */
    public static final UpstreamTlsConfig SYSTEM = new UpstreamTlsConfig(null, null, false);
}
