package io.weir.config.load;

import io.weir.config.AdminConfig;
import io.weir.config.ServerConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import io.weir.config.setting.TextRule;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of {@code admin}. */
final class AdminConfigReader {

    static final TextRule SHA256 = TextRule.matching("[0-9a-fA-F]{64}", "64 hex digits");

    static final TextRule ORIGIN = TextRule.matching(
            ServerConfigReader.ORIGIN_PATTERN, "an origin as browsers send it, such as https://admin.example.org");

    private AdminConfigReader() {}

    static AdminConfig read(Block admin, ServerConfig server) {
        String host = admin.setting("host").text(ServerConfigReader.HOST);
        Setting portSetting = admin.setting("port");
        int port = portSetting.number(0, ServerConfigReader.MAX_PORT);
        if (port != 0 && port == server.port() && host.equals(server.host())) {
            portSetting.wrong("another port than server.port");
        }
        String token = admin.setting("token-sha256").secret().textOrNull(SHA256);
        Set<String> origins = Set.copyOf(admin.setting("origins").texts(ORIGIN));
        Set<String> hosts = ServerConfigReader.hosts(admin.setting("hosts"));
        admin.end();
        return new AdminConfig(host, port, lower(token), origins, hosts);
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }
}
