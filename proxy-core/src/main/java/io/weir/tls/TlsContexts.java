package io.weir.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The construction of TLS contexts, by BoringSSL where it is available. */
final class TlsContexts {

    /** Ciphers with forward secrecy and authenticated encryption. */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final ApplicationProtocolConfig HTTP_1 = alpn(ApplicationProtocolNames.HTTP_1_1);
    private static final ApplicationProtocolConfig HTTP_2 =
            alpn(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);

    private TlsContexts() {}

    /**
     * Returns the context of a listener's connections.
     *
     * @param authorities of client certificates, which are required; null for none
     * @param clients fingerprints of client certificates, which are optional
     * @param http2 whether the listener speaks HTTP/2 too
     */
    static SslContext server(
            CertifiedKey key,
            List<String> protocols,
            @Nullable List<X509Certificate> authorities,
            Set<String> clients,
            boolean http2)
            throws SSLException {
        SslContextBuilder context = SslContextBuilder.forServer(key.key(), key.chainArray())
                .sslProvider(provider())
                .protocols(protocols)
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(http2 ? HTTP_2 : HTTP_1);
        if (authorities != null) {
            context.clientAuth(ClientAuth.REQUIRE).trustManager(authorities);
        } else if (!clients.isEmpty()) {
            context.clientAuth(ClientAuth.OPTIONAL).trustManager(new FingerprintTrust(clients));
        }
        return context.build();
    }

    /**
     * Returns the context of connections to a node.
     *
     * @param authorities of the node's certificate; null for the system's
     * @param client the proxy's own certificate, or null
     */
    static SslContext client(
            SslProvider provider,
            @Nullable List<X509Certificate> authorities,
            @Nullable CertifiedKey client,
            boolean acceptAnyCertificate)
            throws SSLException {
        SslContextBuilder context = SslContextBuilder.forClient().sslProvider(provider);
        if (acceptAnyCertificate) {
            context.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else {
            context.endpointIdentificationAlgorithm("HTTPS");
            if (authorities != null) {
                context.trustManager(authorities);
            }
        }
        if (client != null) {
            context.keyManager(client.key(), client.chainArray());
        }
        return context.build();
    }

    private static ApplicationProtocolConfig alpn(String... protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }

    static SslProvider provider() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    /** Trust in client certificates by their fingerprints, whoever issued them. Immutable. */
    static final class FingerprintTrust extends X509ExtendedTrustManager {

        private static final X509Certificate[] NONE = {};

        private final Set<String> fingerprints;

        FingerprintTrust(Set<String> fingerprints) {
            this.fingerprints = fingerprints;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            if (chain.length == 0 || !fingerprints.contains(Fingerprint.of(chain[0]))) {
                throw new CertificateException(
                        "client certificate: unknown (expected: one in admin.client-certificates)");
            }
            chain[0].checkValidity();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("certificate of a server (expected: a client's)");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return NONE;
        }
    }
}
