package io.weir.config.load;

import io.weir.config.AccessConfig;
import io.weir.config.AdminConfig;
import io.weir.config.Folders;
import io.weir.config.LogFormat;
import io.weir.config.NetworkConfig;
import io.weir.config.ReloadConfig;
import io.weir.config.ServerConfig;
import io.weir.config.SharingConfig;
import io.weir.config.WeirConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.Setting;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of the whole configuration, with the relations between its parts. Immutable. */
final class WeirConfigReader {

    private final Folders folders;

    /** @param folders at which relative paths begin */
    WeirConfigReader(Folders folders) {
        this.folders = folders;
    }

    WeirConfig read(Block root) {
        Block defaults = root.block("defaults");
        TlsConfigReader tls = new TlsConfigReader(folders, defaults.template("certificate"));
        ServerConfig server = ServerConfigReader.read(root.block("server"), folders, tls);
        Block limits = root.block("limits");
        int maxAddresses = limits.setting("addresses").number(1, 10_000_000);
        limits.end();
        AdminConfig admin = AdminConfigReader.read(root.block("admin"), server, tls);
        Block networkBlocks = root.block("networks");
        Map<String, NetworkConfig> networks = NetworkConfigReader.readAll(networkBlocks, defaults, folders);
        // If the networks are not a block, references to them cannot be checked.
        Set<String> names = networkBlocks.isUsable() ? networks.keySet() : null;
        String defaultNetwork = defaultNetwork(root, names);
        AccessConfig access = new AccessConfigReader(names).read(root.block("access"), defaults.template("key"));
        CacheConfig cache = cache(root.block("cache"));
        WeirConfig config = new WeirConfig(
                server,
                maxAddresses,
                admin,
                defaultNetwork,
                networks,
                access,
                cache,
                PluginsConfigReader.read(root.block("plugins"), folders),
                reload(root.block("reload")),
                log(root.block("log")),
                sharing(root.block("sharing")),
                TracingConfigReader.read(root.block("tracing")));
        defaults.end();
        root.end();
        return config;
    }

    private static ReloadConfig reload(Block reload) {
        ReloadConfig config = new ReloadConfig(
                reload.setting("watch").millis("0 s", "1 d"),
                reload.setting("probe-wait").millis("0 s", "1 m"));
        reload.end();
        return config;
    }

    private static LogFormat log(Block log) {
        LogFormat format = log.setting("format").word(LogFormat.class);
        log.end();
        return format;
    }

    private static @Nullable SharingConfig sharing(Block sharing) {
        String url = sharing.setting("url").secret().textOrNull(TierConfigReader.URL);
        SharingConfig config = new SharingConfig(
                url == null ? "" : url,
                sharing.setting("prefix").text(TierConfigReader.PREFIX),
                sharing.setting("away-percent").number(1, 100));
        sharing.end();
        return url == null ? null : config;
    }

    /** Returns the default network. A single network is the default if none is set. */
    private static String defaultNetwork(Block root, @Nullable Set<String> networks) {
        Setting setting = root.setting("default-network");
        if (setting.isNull() && (networks == null || networks.size() < 2)) {
            return networks == null || networks.isEmpty()
                    ? ""
                    : networks.iterator().next();
        }
        String name = setting.text(NetworkConfigReader.NAME);
        if (!name.isEmpty() && networks != null && !networks.contains(name)) {
            setting.dangling("one of the networks");
        }
        return name;
    }

    private CacheConfig cache(Block cache) {
        CacheConfig config = new CacheConfig(
                cache.setting("memory").bytesOrAuto("0 B", "1 TiB", HeapShare.ofProcess()),
                TierConfigReader.read(cache, folders));
        cache.end();
        return config;
    }
}
