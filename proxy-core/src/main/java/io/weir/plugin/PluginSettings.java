package io.weir.plugin;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Folders;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The block of one plugin in the configuration, which the plugin reads into a record of its own. Thread-safe. */
final class PluginSettings {

    private static final String ROOT = "plugins";

    private final String pluginId;
    private final List<String> path;
    private final Config block;
    private final Sources sources;
    private volatile @Nullable List<Problem> problems;

    /** The settings of a plugin that reads none. */
    private record None() {}

    /**
     * @param block the configured values; null for none
     * @param sources the positions of the values
     */
    PluginSettings(String pluginId, @Nullable Config block, Sources sources) {
        this.pluginId = pluginId;
        this.path = List.of(ROOT, pluginId);
        this.block = block == null ? ConfigFactory.empty() : block;
        this.sources = sources;
    }

    /**
     * Reads the block.
     *
     * @throws IllegalArgumentException if there is a problem, which {@link #check} reports
     */
    <R extends Record> R read(Class<R> type) {
        List<Problem> found = new ArrayList<>();
        R read = new Binder(Folders.WORKING_DIRECTORY).read(type, path, block.root(), sources, found);
        problems = List.copyOf(found);
        if (!found.isEmpty()) {
            throw new IllegalArgumentException(found.size() + " settings are wrong");
        }
        return read;
    }

    /**
     * Checks what was read. If nothing was read, nothing may be written.
     *
     * @throws PluginException with all problems, each by file and line
     */
    void check() throws PluginException {
        if (problems == null) {
            try {
                read(None.class);
            } catch (IllegalArgumentException e) {
                // Reported below.
            }
        }
        List<Problem> found = problems;
        if (found != null && !found.isEmpty()) {
            throw new PluginException(
                    found.stream().sorted().distinct().map(Problem::toString).toList());
        }
    }

    /**
     * Adds the position of a setting to a plugin's message about it.
     *
     * @param line {@code path: value (expected: rule)}, the path with or without {@code plugins.<id>}
     */
    String located(String line) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            return "plugin " + pluginId + ": " + line;
        }
        List<String> whole = new ArrayList<>(path);
        try {
            List<String> said = ConfigUtil.splitPath(line.substring(0, colon).strip());
            boolean complete = said.size() > 2 && said.subList(0, 2).equals(path);
            whole.addAll(complete ? said.subList(2, said.size()) : said);
        } catch (ConfigException e) {
            return "plugin " + pluginId + ": " + line;
        }
        Problem position = sources.atName(whole, "", "");
        String column = position.column() > 0 ? ":" + position.column() : "";
        return position.file() + ":" + position.line() + column + ": " + Sources.render(whole) + line.substring(colon);
    }
}
