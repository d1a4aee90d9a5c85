package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Form;
import io.weir.api.setting.Setting;
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
        @About("Certificates by name, chosen by SNI, else the first. With one, the listener speaks TLS only.")
        @Setting(value = "{}", pattern = Forms.ID, rule = Forms.ID_RULE)
        Map<String, KeyFiles> certificates,

        @About("Oldest version; `1.2` allows only ciphers with forward secrecy and authenticated encryption.")
        @Setting(value = "\"1.2\"", path = "min-version", form = MinVersion.class)
        List<String> protocols,

        @About("PEM file of authorities; every client, health checks included, needs a certificate from one of them.")
        @Setting(rule = Forms.PEM_RULE)
        @Nullable
        Path clientCa)
        implements Checked {

    private static final String NEWEST = "TLSv1.3";

    /** A listener without TLS. */
    public static final TlsConfig OFF = new TlsConfig(Map.of(), protocols(false), null);

    /** The PEM files of a certificate. Immutable. */
    public record KeyFiles(
            @About("PEM file with the certificate and its authorities, each signed by the next; refused if expired.")
            @Setting(rule = Forms.PEM_RULE, required = true)
            Path chain,

            @About("PEM file with the private key: RSA, EC or EdDSA, without a passphrase.")
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

    public boolean enabled() {
        return !certificates.isEmpty();
    }

    /** Returns the URL of a listener on a host, of which an IPv6 address has no brackets. */
    public String url(String host, Object port) {
        return (enabled() ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
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
