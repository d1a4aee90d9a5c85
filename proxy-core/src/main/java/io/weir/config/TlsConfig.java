package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Binder;
import io.weir.config.setting.Block;
import io.weir.config.setting.Checked;
import io.weir.config.setting.Form;
import io.weir.config.setting.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a listener. Immutable.
 *
 * @param certificates by name, in the order of the file; the first one is for clients that name no known host. Without
 *     any the listener speaks no TLS
 * @param protocols such as {@code TLSv1.3}
 */
public record TlsConfig(
        @About("Certificates by name, such as `rpc { chain = \"rpc.pem\", key = \"rpc.key\" }`. With one the listener "
                + "speaks TLS only. Clients get the one for their host (SNI); the first if they name none or an unknown "
                + "one.")
        @Setting(value = "{}", pattern = Forms.ID, rule = Forms.ID_RULE)
        Map<String, KeyFiles> certificates,

        @About(
                "Refuses clients that name a host without a certificate, with the alert `unrecognized_name`. Clients that"
                        + " name no host are served.")
        @Setting("false")
        boolean strictSni,

        @About(
                "Oldest version of TLS; `1.2` offers only ciphers with forward secrecy and authenticated encryption. Set "
                        + "`1.3` if no client needs 1.2.")
        @Setting(value = "\"1.2\"", path = "min-version", form = MinVersion.class)
        List<String> protocols,

        @About("PEM file of authorities. With it every client, health checks included, needs a certificate from one of "
                + "them; API keys count as before. Set it if only known programs may connect.")
        @Setting(rule = Forms.PEM_RULE)
        @Nullable
        Path clientCa)
        implements Checked {

    private static final String NEWEST = "TLSv1.3";

    /** A listener without TLS. */
    public static final TlsConfig OFF = new TlsConfig(Map.of(), false, protocols(false), null);

    /** The PEM files of a certificate. Immutable. */
    public record KeyFiles(
            @About(
                    "PEM file with the certificate, followed by those of its authorities, each signed by the next. An expired"
                            + " certificate is refused, also at the start.")
            @Setting(rule = Forms.PEM_RULE, required = true)
            Path chain,

            @About(
                    "PEM file with the certificate's private key: RSA, EC or EdDSA, without a passphrase. It is never shown.")
            @Setting(rule = Forms.PEM_RULE, required = true)
            Path key) {}

    @Override
    public void check(Block block) {
        if (clientCa != null && !enabled()) {
            block.look("client-ca")
                    .wrong("null without tls.certificates: clients cannot show a certificate without TLS");
        }
    }

    /** Returns the protocols from a version on. */
    public static List<String> protocols(boolean newestOnly) {
        return newestOnly ? List.of(NEWEST) : List.of(NEWEST, "TLSv1.2");
    }

    /** Returns whether the listener speaks TLS. */
    public boolean enabled() {
        return !certificates.isEmpty();
    }

    /** The oldest version of TLS; its values are the protocols from it on. */
    static final class MinVersion implements Form<List<String>> {

        private static final String NEWEST = "1.3";
        private static final List<String> VERSIONS = List.of("1.2", NEWEST);

        @Override
        public List<String> read(Binder binder, Block block, String name) {
            return protocols(NEWEST.equals(block.setting(name).wordOrNull(VERSIONS)));
        }

        @Override
        public String rule() {
            return String.join(" or ", VERSIONS);
        }
    }
}
