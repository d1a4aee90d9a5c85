package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Block;
import io.weir.config.setting.Checked;
import io.weir.config.setting.Setting;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener. Immutable.
 *
 * @param tokenSha256 32 bytes in lower-case hex; null if there are no operations
 * @param clientCertificates SHA-256 fingerprints in lower-case hex
 */
public record AdminConfig(
        @About("Address or host name to listen on. Use a private address if Prometheus or a balancer runs on another "
                + "machine; never a public one.")
        @Setting(value = "\"127.0.0.1\"", pattern = Forms.HOST, rule = Forms.HOST_RULE)
        String host,

        @About("Port to listen on; 0 picks a free one.") @Setting(value = "9545", range = "0 to 65535")
        int port,

        @About("SHA-256, in hex, of the token for operations, which purge the cache, drain nodes and reload the "
                + "configuration. With null there is no token. It is never shown.")
        @Setting(form = Forms.Sha256.class)
        @Nullable
        String tokenSha256,

        @About(
                "Origins of pages that may send requests, besides the listener's own pages; others get 403. Add the name "
                        + "under which a TLS proxy serves the admin pages.")
        @Setting(
                value = "[]",
                pattern = Forms.ORIGIN,
                rule = "an origin as browsers send it, such as https://admin.example.org")
        Set<String> origins,

        @About("Hosts whose requests are answered, written as `server.hosts`; others get 403, health checks and "
                + "`/metrics` included. Always allowed are loopback, the address that a connection reached, `admin.host` "
                + "and the hosts of `admin.origins`.")
        @Setting(value = "[]", form = Forms.Hosts.class)
        Set<String> hosts,

        @About("TLS of the admin listener, off without a certificate.") @Setting
        TlsConfig tls,

        @About("SHA-256 fingerprints, as `openssl x509 -noout -fingerprint -sha256` prints them, of certificates whose "
                + "holders may do what the token permits. Clients with another certificate are refused; clients without one"
                + " are served. Needs `admin.tls.certificates`.")
        @Setting(value = "[]", form = Forms.Fingerprints.class)
        Set<String> clientCertificates)
        implements Checked {

    @Override
    public void check(Block block) {
        if (!clientCertificates.isEmpty() && !tls.enabled()) {
            block.look("client-certificates")
                    .wrong("[] without admin.tls.certificates: clients cannot show a certificate without TLS");
        }
    }
}
