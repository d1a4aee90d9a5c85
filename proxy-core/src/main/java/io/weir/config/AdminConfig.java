package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.api.setting.Sha256;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener. Immutable.
 *
 * @param tokenSha256 32 bytes in lower-case hex; null if there are no operations
 * @param clientCertificates SHA-256 fingerprints in lower-case hex
 */
public record AdminConfig(
        @About("Address to listen on; never a public one.")
        @Setting(value = "\"127.0.0.1\"", pattern = Forms.HOST, rule = Forms.HOST_RULE)
        String host,

        @About("Port to listen on; 0 picks a free one.") @Setting(value = "9545", range = "0 to 65535")
        int port,

        @About("SHA-256, in hex, of the token for operations such as purge, drain and reload; null permits none.")
        @Setting(form = Sha256.Optional.class, live = true)
        @Nullable
        String tokenSha256,

        @About("Origins of pages, besides the listener's own, that may send requests; others get 403.")
        @Setting(
                value = "[]",
                pattern = Forms.ORIGIN,
                rule = "an origin as browsers send it, such as https://admin.example.org",
                live = true)
        Set<String> origins,

        @About("Allowed hosts besides the listener's own and those of `admin.origins`, else 403, also `/metrics`.")
        @Setting(value = "[]", form = Forms.Hosts.class, live = true)
        Set<String> hosts,

        @About("TLS of the admin listener, off without a certificate.") @Setting
        TlsConfig tls,

        @About("SHA-256 fingerprints of client certificates that permit what the token does. Others are refused; "
                + "clients without a certificate are served.")
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
