package io.weir.config;

import com.typesafe.config.Config;
import io.weir.api.setting.About;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Folders;
import io.weir.api.setting.Setting;
import io.weir.api.setting.SettingValue;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.ChainPreset.HostedPreset;
import io.weir.config.TlsConfig.KeyFiles;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The whole configuration. Immutable.
 *
 * @param defaultNetwork the network of requests that name none; a single network is, if none is set
 * @param networks by name, in the order of the file
 * @param sharing null if other proxies share no limits
 */
public record WeirConfig(
        @About("The JSON-RPC listener and its bounds.") @Setting(restart = true)
        ServerConfig server,

        @About("The admin listener.") @Setting(restart = true)
        AdminConfig admin,

        @About("Network of requests that name none by path or `Host`; not needed with a single network.")
        @Setting(form = Forms.DefaultNetwork.class)
        String defaultNetwork,

        @About("The networks, by name; each over `defaults.network`.")
        @Setting(pattern = Forms.NAME, rule = Forms.NAME_RULE, required = true)
        Map<String, NetworkConfig> networks,

        @About("Access without and with API keys.") @Setting AccessConfig access,

        @About("Results in memory, and the tiers behind it.") @Setting(restart = true)
        CacheConfig cache,

        @About("Plugins; a block `plugins.<id>` holds the settings of the plugin with that id.")
        @Setting(restart = true)
        PluginsConfig plugins,

        @About("Time between two looks at configuration and secret files; a stable change reloads. 0 disables it.")
        @Setting(path = "reload.watch", value = "0 s", range = "0 s to 1 d")
        long reloadWatchMillis,

        @About("Format on standard error; `json` is one object a line. A logback file of your own overrides it.")
        @Setting(value = "text", path = "log.format", restart = true)
        LogFormat log,

        @About("The least severe lines that are written; `debug` adds the stack traces of plugins that fail.")
        @Setting(value = "info", path = "log.level", live = true)
        Level logLevel,

        @About("Rates and daily units that several proxies share through a Redis or Valkey.")
        @Setting(unless = "url", restart = true)
        @Nullable
        SharingConfig sharing,

        @About("Traces of calls, sent with OTLP over HTTP.") @Setting(restart = true)
        TracingConfig tracing)
        implements Checked {

    /** The format of log lines. */
    public enum LogFormat {
        /** For people. */
        TEXT,
        /** One JSON object a line. */
        JSON
    }

    public WeirConfig {
        defaultNetwork = defaultNetwork.isEmpty() && networks.size() == 1
                ? networks.keySet().iterator().next()
                : defaultNetwork;
    }

    @Override
    public void check(Block block) {
        if (admin.port() != 0 && admin.port() == server.port() && admin.host().equals(server.host())) {
            block.lookInto("admin").look("port").wrong("another port than server.port");
        }
        // If the networks are not a block, references to them cannot be checked.
        if (block.lookInto("networks").isUsable()) {
            checkNetworks(block);
        }
    }

    private void checkNetworks(Block block) {
        SettingValue named = block.look("default-network");
        if (defaultNetwork.isEmpty() && networks.size() > 1) {
            named.text(Forms.NETWORK);
        } else if (!networks.isEmpty() && !defaultNetwork.isEmpty() && !networks.containsKey(defaultNetwork)) {
            named.dangling("one of the networks");
        }
        Map<String, String> owners = new HashMap<>();
        networks.forEach((name, network) -> {
            Block written = block.lookInto("networks").lookInto(name);
            SettingValue hosts = written.look("hosts");
            for (SettingValue host : hosts.isNull() ? List.<SettingValue>of() : hosts.elements()) {
                String owner = owners.putIfAbsent(Forms.NetworkHosts.name(host.asText()), name);
                if (owner != null && !owner.equals(name)) {
                    host.wrong("a host of one network only; it is one of networks." + owner);
                }
            }
        });
        Block keys = block.lookInto("access").lookInto("keys");
        checkKey(block.lookInto("defaults").lookInto("key"));
        access.keys().keySet().forEach(key -> checkKey(keys.lookInto(key)));
    }

    private void checkKey(Block key) {
        SettingValue allowed = key.look("networks");
        for (SettingValue element : allowed.isNull() ? List.<SettingValue>of() : allowed.elements()) {
            if (Forms.NETWORK.test().test(element.asText()) && !networks.containsKey(element.asText())) {
                element.dangling("one of the networks, or *");
            }
        }
    }

    /**
     * Reads the whole configuration. Entries of maps take what they do not set from {@code defaults}.
     *
     * @param folders at which relative paths begin
     */
    public static WeirConfig read(Block root, Folders folders) {
        Binder binder = new Binder(folders);
        Block defaults = root.block("defaults");
        Block upstream = defaults.template("upstream");
        binder.putDefaults(KeyFiles.class, defaults.template("certificate"), UnaryOperator.identity());
        binder.putDefaults(UpstreamConfig.class, upstream, HostedPreset::over);
        binder.putDefaults(
                NetworkConfig.class, defaults.template("network"), network -> ChainPreset.over(network, upstream));
        binder.putDefaults(KeyConfig.class, defaults.template("key"), UnaryOperator.identity());
        WeirConfig config = binder.read(WeirConfig.class, root);
        defaults.end();
        return config;
    }

    /** Returns the configuration after a reload: this one with those parts of the next one that can change while the proxy runs. */
    public WeirConfig reloaded(WeirConfig next) {
        return Binder.with(this, part -> {
            Object before = Binder.get(part, this);
            Object after = Binder.get(part, next);
            if (!needsRestart(part)) {
                return after;
            }
            return before instanceof Record old && after instanceof Record anew
                    ? Binder.with(old, inner -> Binder.get(inner, isLive(inner) ? anew : old))
                    : before;
        });
    }

    /** Returns whether a change of this part takes effect only at the next start. */
    public static boolean needsRestart(RecordComponent part) {
        return part.getAnnotation(Setting.class).restart() && !isLive(part);
    }

    private static boolean isLive(RecordComponent part) {
        Setting declared = part.getAnnotation(Setting.class);
        return declared != null && declared.live();
    }

    /** Returns the paths of the settings that a reload puts in force although their blocks need a restart: block and name. */
    public static List<List<String>> livePaths() {
        List<List<String>> live = new ArrayList<>();
        for (RecordComponent part : WeirConfig.class.getRecordComponents()) {
            if (isLive(part)) {
                live.add(Binder.path(part));
            } else if (needsRestart(part) && part.getType().isRecord()) {
                for (RecordComponent inner : part.getType().getRecordComponents()) {
                    if (isLive(inner)) {
                        live.add(List.of(
                                Binder.path(part).get(0), Binder.path(inner).get(0)));
                    }
                }
            }
        }
        return live;
    }

    /** The cache of results in memory; 0 bytes disable it. Immutable. */
    public record CacheConfig(
            @About("Memory of all results; `auto` is a quarter of the heap, at most 256 MiB. 0 disables all caching.")
            @Setting(value = "auto", path = "memory", range = "0 B to 1 TiB")
            long memoryBytes,

            @Setting(path = ".") TierConfig tiers) {

        /** Creates a cache without tiers behind memory. */
        public CacheConfig(long memoryBytes) {
            this(memoryBytes, TierConfig.NONE);
        }
    }

    /**
     * The folders and resources of plugins. Immutable.
     *
     * @param path folders that contain plugins, see {@link io.weir.api.setting.Folders#read}
     * @param data the folder that contains each plugin's data folder
     * @param settings each plugin's own block, by id, with its origins
     */
    public record PluginsConfig(
            @About("Folders of plugins, beside this file or in the installation; not writable by others.")
            @Setting(value = "[\"plugins\"]", rule = "the path of a folder")
            List<Path> path,

            @About("Parent of each plugin's data folder; for an installed proxy use `--data` instead.")
            @Setting(value = "\"data/plugins\"", rule = "the path of a folder", written = true)
            Path data,

            @Setting(path = "*", form = Forms.OtherBlocks.class)
            Map<String, Config> settings) {}

    /**
     * Limits that several proxies share through a Redis. Immutable.
     *
     * @param url including its password, if any; empty if there is none
     */
    public record SharingConfig(
            @About("Redis or Valkey for shared limits; `rediss://` is TLS. With null each proxy counts alone.")
            @Setting(form = Forms.RedisUrl.class)
            String url,

            @About(
                    "Prefix of names in Redis; proxies with the same prefix share limits of equally named keys and nodes.")
            @Setting(value = "\"weir:\"", pattern = Forms.PREFIX, rule = Forms.PREFIX_RULE)
            String prefix) {

        /** Hides the address, which may contain a password. */
        @Override
        public String toString() {
            return "SharingConfig(hidden)";
        }
    }

    /**
     * The traces of calls. Immutable.
     *
     * @param sample the share of the calls that are traced, from 0 to 1, unless the client has decided
     */
    public record TracingConfig(
            @About("URL of the collector, used as it is, mostly with `/v1/traces`; null traces nothing.")
            @Setting(form = Forms.CollectorUrl.class)
            @Nullable
            String endpoint,

            @About("Share of calls that are traced; a client's valid `traceparent` decides for its own calls.")
            @Setting(value = "1 %", form = Forms.Share.class)
            double sample,

            @About("Headers of requests to the collector, such as `Authorization`; never shown.")
            @Setting(value = "{}", form = Headers.class)
            Map<String, String> headers) {

        public boolean isOn() {
            return endpoint != null;
        }

        /** Names neither the address nor the headers, which may hold credentials. */
        @Override
        public String toString() {
            return "TracingConfig[on=" + isOn() + ", sample=" + sample + "]";
        }
    }
}
