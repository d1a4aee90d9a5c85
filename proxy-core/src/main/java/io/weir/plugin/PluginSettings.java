package io.weir.plugin;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigUtil;
import io.weir.config.hocon.Problem;
import io.weir.config.hocon.Sources;
import io.weir.config.setting.NamedBlocks;
import io.weir.config.setting.ReferenceCheck;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One plugin's settings: its block of the configuration over its own {@code reference.conf}. Immutable.
 *
 * @param all resolved
 */
record PluginSettings(Config all) {

    private static final String ROOT = "plugins";

    /**
     * Reads and checks the settings.
     *
     * @param block the configured values, without defaults
     * @param sources the positions of the values
     * @throws PluginException with every unknown name and every value of a wrong type, each by file and line
     */
    static PluginSettings read(String pluginId, ClassLoader classes, Config block, Sources sources)
            throws PluginException {
        List<String> path = List.of(ROOT, pluginId);
        String key = ConfigUtil.joinPath(path);
        try {
            Config whole = reference(pluginId, classes);
            Config reference = whole.hasPath(key) ? whole.getConfig(key) : ConfigFactory.empty();
            List<Problem> problems = ReferenceCheck.problems(path, block, reference, sources);
            if (!problems.isEmpty()) {
                throw new PluginException(
                        problems.stream().map(Problem::toString).toList());
            }
            Config merged = block.atPath(key).withFallback(whole).resolve().getConfig(key);
            return new PluginSettings(
                    NamedBlocks.filled(merged.root(), reference.root()).toConfig());
        } catch (IOException | ConfigException e) {
            throw new PluginException("plugin " + pluginId + ": reference.conf: " + e.getMessage());
        }
    }

    private static Config reference(String pluginId, ClassLoader classes) throws IOException {
        ConfigParseOptions options = ConfigParseOptions.defaults()
                .setSyntax(ConfigSyntax.CONF)
                .setOriginDescription("reference.conf of plugin " + pluginId);
        // Read as a stream: opened by its URL, the jar would stay in the JDK's cache after the plugin is unloaded.
        try (InputStream in = classes.getResourceAsStream("reference.conf")) {
            return in == null
                    ? ConfigFactory.empty()
                    : ConfigFactory.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8), options)
                            .resolve();
        }
    }

    /**
     * Adds the position of a setting to a plugin's message about it.
     *
     * @param line {@code path: value (expected: rule)}, the path with or without {@code plugins.<id>}
     */
    static String located(String pluginId, String line, Sources sources) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            return "plugin " + pluginId + ": " + line;
        }
        List<String> path = new ArrayList<>(List.of(ROOT, pluginId));
        try {
            List<String> said = ConfigUtil.splitPath(line.substring(0, colon).strip());
            boolean whole = said.size() > 2 && said.subList(0, 2).equals(path);
            path.addAll(whole ? said.subList(2, said.size()) : said);
        } catch (ConfigException e) {
            return "plugin " + pluginId + ": " + line;
        }
        Problem position = sources.atName(path, "", "");
        String column = position.column() > 0 ? ":" + position.column() : "";
        return position.file() + ":" + position.line() + column + ": " + Sources.render(path) + line.substring(colon);
    }
}
