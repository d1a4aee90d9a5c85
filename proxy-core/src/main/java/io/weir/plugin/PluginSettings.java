package io.weir.plugin;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Folders;
import io.weir.api.setting.Reading;
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
    private volatile List<Problem> problems = List.of();
    /** How it was read; null before. */
    private volatile @Nullable Read read;

    /** The settings of a plugin that reads none. */
    private record None() {}

    private record Read(Class<? extends Record> type, Reading reading) {}

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
     * @throws IllegalArgumentException if there is a problem, which {@link #throwProblems} reports
     */
    <R extends Record> R read(Class<R> type) {
        Reading reading = Reading.over(type, block.root(), sources);
        R settings;
        try {
            settings = new Binder(Folders.WORKING_DIRECTORY).read(type, reading.block(path));
        } finally {
            problems = reading.finish();
            read = new Read(type, reading);
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.size() + " settings are wrong");
        }
        return settings;
    }

    /**
     * Checks that nothing is written if nothing was read.
     *
     * @throws PluginException with all problems, each by file and line
     */
    void checkRead() throws PluginException {
        if (read == null) {
            try {
                read(None.class);
            } catch (IllegalArgumentException e) {
                throwProblems();
            }
        }
    }

    /** @throws PluginException with all problems of what was read, if there are any, each by file and line */
    void throwProblems() throws PluginException {
        if (!problems.isEmpty()) {
            throw new PluginException(
                    problems.stream().sorted().distinct().map(Problem::toString).toList());
        }
    }

    /** Returns the settings in force as lines of a file, each with its origin; if wanted, only those that differ from the defaults. */
    List<String> lines(boolean changed) {
        Read made = read;
        if (made == null) {
            return List.of();
        }
        Config defaults = Binder.defaults(made.type).toConfig().atPath(ConfigUtil.joinPath(path));
        return made.reading.lines(changed ? defaults : ConfigFactory.empty());
    }

    /**
     * Adds the position of a setting to a plugin's message about it.
     *
     * @param line {@code path: value (expected: rule)}
     */
    String located(String line) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            return "plugin " + pluginId + ": " + line;
        }
        List<String> whole = new ArrayList<>(path);
        try {
            whole.addAll(ConfigUtil.splitPath(line.substring(0, colon).strip()));
        } catch (ConfigException e) {
            return "plugin " + pluginId + ": " + line;
        }
        Problem position = sources.atName(whole, "", "");
        String column = position.column() > 0 ? ":" + position.column() : "";
        return position.file() + ":" + position.line() + column + ": " + Sources.render(whole) + line.substring(colon);
    }
}
