package io.weir.config.load;

import io.weir.config.AdminConfig;
import io.weir.config.ServerConfig;
import io.weir.config.TlsConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reader of {@code admin}. */
final class AdminConfigReader {

    static final TextRule SHA256 = TextRule.matching("[0-9a-fA-F]{64}", "64 hex digits");

    static final TextRule ORIGIN = TextRule.matching(
            ServerConfigReader.ORIGIN_PATTERN, "an origin as browsers send it, such as https://admin.example.org");

    private static final TextRule FINGERPRINT = TextRule.matching(
            "[0-9a-fA-F]{2}(:?[0-9a-fA-F]{2}){31}",
            "the SHA-256 fingerprint of a certificate: 64 hex digits, with or without colons");

    private AdminConfigReader() {}

    static AdminConfig read(Block admin, ServerConfig server, TlsConfigReader tlsReader) {
        String host = admin.setting("host").text(ServerConfigReader.HOST);
        Setting portSetting = admin.setting("port");
        int port = portSetting.number(0, ServerConfigReader.MAX_PORT);
        if (port != 0 && port == server.port() && host.equals(server.host())) {
            portSetting.wrong("another port than server.port");
        }
        String token = admin.setting("token-sha256").secret().textOrNull(SHA256);
        Set<String> origins = Set.copyOf(admin.setting("origins").texts(ORIGIN));
        Set<String> hosts = ServerConfigReader.hosts(admin.setting("hosts"));
        TlsConfig tls = tlsReader.listener(admin.block("tls"));
        Setting certificates = admin.setting("client-certificates");
        Set<String> fingerprints = certificates.texts(FINGERPRINT).stream()
                .map(text -> text.replace(":", "").toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        if (!fingerprints.isEmpty() && !tls.enabled()) {
            certificates.wrong("[] without admin.tls.certificates: clients cannot show a certificate without TLS");
        }
        admin.end();
        return new AdminConfig(host, port, lower(token), origins, hosts, tls, fingerprints);
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }
}
