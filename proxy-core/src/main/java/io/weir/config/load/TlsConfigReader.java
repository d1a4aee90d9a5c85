package io.weir.config.load;

import io.weir.config.Folders;
import io.weir.config.TlsConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.config.UpstreamTlsConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of the {@code tls} blocks of listeners and nodes. Immutable. */
final class TlsConfigReader {

    private static final TextRule PEM = new TextRule(SharedRules::isPath, "the path of a PEM file");
    private static final String OLDEST = "1.2";
    private static final String NEWEST = "1.3";

    private final Folders folders;
    private final Block certificateDefaults;

    /** @param certificateDefaults the template of certificates */
    TlsConfigReader(Folders folders, Block certificateDefaults) {
        this.folders = folders;
        this.certificateDefaults = certificateDefaults;
    }

    /** Reads the block of a listener. */
    TlsConfig listener(Block tls) {
        Setting clientCa = tls.setting("client-ca");
        TlsConfig config = new TlsConfig(
                certificates(tls.block("certificates")),
                tls.setting("strict-sni").flag(),
                TlsConfig.protocols(NEWEST.equals(tls.setting("min-version").wordOrNull(List.of(OLDEST, NEWEST)))),
                pathOrNull(clientCa));
        if (config.clientCa() != null && !config.enabled()) {
            clientCa.wrong("null without tls.certificates: clients cannot show a certificate without TLS");
        }
        tls.end();
        return config;
    }

    private Map<String, KeyFiles> certificates(Block certificates) {
        Map<String, KeyFiles> files = new LinkedHashMap<>();
        certificates.entries(certificateDefaults).forEach((name, block) -> {
            if (!SharedRules.ID.test().test(name)) {
                block.wrongName(SharedRules.ID.rule());
            }
            files.put(name, new KeyFiles(path(block.setting("chain")), path(block.setting("key"))));
            block.end();
        });
        return Collections.unmodifiableMap(files);
    }

    /**
     * Reads the block of a node.
     *
     * @param secured whether one of the node's URLs asks for TLS
     */
    static UpstreamTlsConfig node(Block tls, Folders folders, boolean secured) {
        Setting ca = tls.setting("ca");
        Setting certificate = tls.setting("certificate");
        Setting key = tls.setting("key");
        Setting insecure = tls.setting("insecure-accept-any-certificate");
        boolean any = insecure.flag();
        for (Setting setting : List.of(ca, certificate, key)) {
            if (!setting.isNull() && !secured) {
                setting.wrong("null, or an address of the node with https:// or wss://");
            }
        }
        if (any && !secured) {
            insecure.wrong("false, or an address of the node with https:// or wss://");
        }
        if (any && !ca.isNull()) {
            ca.wrong("null beside insecure-accept-any-certificate = true, which checks no authority");
        }
        if (certificate.isNull() != key.isNull()) {
            (certificate.isNull() ? key : certificate).wrong("certificate and key together, or neither");
        }
        boolean shown = !certificate.isNull() && !key.isNull();
        UpstreamTlsConfig config = new UpstreamTlsConfig(
                pathOrNull(ca, folders),
                shown ? new KeyFiles(path(certificate, folders), path(key, folders)) : null,
                any);
        tls.end();
        return config;
    }

    private Path path(Setting setting) {
        return path(setting, folders);
    }

    private @Nullable Path pathOrNull(Setting setting) {
        return pathOrNull(setting, folders);
    }

    private static Path path(Setting setting, Folders folders) {
        return folders.read(setting.text(PEM));
    }

    private static @Nullable Path pathOrNull(Setting setting, Folders folders) {
        String text = setting.textOrNull(PEM);
        return text == null ? null : folders.read(text);
    }
}
