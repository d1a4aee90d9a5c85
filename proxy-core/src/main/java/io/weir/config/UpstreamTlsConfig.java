package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.api.setting.SettingValue;
import io.weir.config.TlsConfig.KeyFiles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the connections to a node. Immutable.
 *
 * @param ca the authorities that the node's certificate must come from; null for those of the system
 * @param acceptAnyCertificate whether nothing of the node's certificate is checked
 */
public record UpstreamTlsConfig(
        @About("PEM file of authorities for the node's certificate; null is those of the system.")
        @Setting(rule = Forms.PEM_RULE)
        @Nullable
        Path ca,

        @About("PEM file with the certificate shown to the node and those of its authorities; null is none.")
        @Setting(rule = Forms.PEM_RULE)
        @Nullable
        Path certificate,

        @About("PEM file with the private key of `defaults.upstream.tls.certificate`, without a passphrase.")
        @Setting(rule = Forms.PEM_RULE)
        @Nullable
        Path key,

        @About("Lets anyone between proxy and node read and change all calls. Only for a test on one machine.")
        @Setting(value = "false", path = "insecure-accept-any-certificate")
        boolean acceptAnyCertificate)
        implements Checked {

    /** The system's authorities, and no certificate of the proxy. */
    public static final UpstreamTlsConfig SYSTEM = new UpstreamTlsConfig(null, null, null, false);

    private static final String UNUSED = ", or an address of the node with https:// or wss://";

    /** Returns the certificate that the proxy shows to the node; null for none. */
    public @Nullable KeyFiles client() {
        return certificate == null || key == null ? null : new KeyFiles(certificate, key);
    }

    @Override
    public void check(Block block) {
        if (acceptAnyCertificate && ca != null) {
            block.look("ca").wrong("null beside insecure-accept-any-certificate = true, which checks no authority");
        }
        if (block.look("certificate").isNull() != block.look("key").isNull()) {
            block.look(block.look("certificate").isNull() ? "key" : "certificate")
                    .wrong("certificate and key together, or neither");
        }
    }

    /** Reports what is set for a node that has no address with TLS. */
    void checkUnused(Block block) {
        for (String name : List.of("ca", "certificate", "key")) {
            SettingValue setting = block.look(name);
            if (!setting.isNull()) {
                setting.wrong("null" + UNUSED);
            }
        }
        if (acceptAnyCertificate) {
            block.look("insecure-accept-any-certificate").wrong("false" + UNUSED);
        }
    }
}
