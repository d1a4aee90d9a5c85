package io.weir.config.load;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Folders;
import io.weir.api.setting.Reading;
import io.weir.config.WeirConfig;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.InvalidConfigException;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The loader of the configuration, which reports all problems at once. Thread-safe. */
public final class ConfigLoader {

    private ConfigLoader() {}

    /**
     * A configuration without problems. Immutable.
     *
     * @param sources the positions of its settings, for later checks, such as those of plugins' blocks
     * @param values every setting, with defaults; secrets too
     */
    public record Loaded(WeirConfig config, Sources sources, ConfigObject values) {

        /** Returns what is in force after a reload, if this was before: its positions are those of the next one. */
        public Loaded reloaded(Loaded next) {
            ConfigObject merged = next.values;
            for (RecordComponent part : WeirConfig.class.getRecordComponents()) {
                String block = Binder.path(part).get(0);
                merged = WeirConfig.needsRestart(part) ? merged.withValue(block, values.get(block)) : merged;
            }
            for (List<String> live : WeirConfig.livePaths()) {
                ConfigObject block = block(merged, live.get(0));
                ConfigValue after = block(next.values, live.get(0)).get(live.get(1));
                merged = merged.withValue(live.get(0), block.withValue(live.get(1), after));
            }
            return new Loaded(config.reloaded(next.config), next.sources, merged);
        }

        /** Returns a block, which the defaults have too. */
        private static ConfigObject block(ConfigObject values, String name) {
            return (ConfigObject) Objects.requireNonNull(values.get(name), name);
        }

        @Override
        public String toString() {
            return "Loaded[" + config + "]";
        }
    }

    /**
     * The readable part of a configuration, for checks that the proxy itself cannot do. Immutable.
     *
     * @param loaded has harmless values in place of problems, so it must not run if there are any
     * @param problems in no order
     */
    public record Draft(Loaded loaded, List<Problem> problems, Reading reading) {

        /** Returns the settings in force as lines of a file, each with its origin; if wanted, only those that differ from the defaults. */
        public List<String> lines(boolean changed) {
            return reading.lines(changed ? reference().toConfig() : ConfigFactory.empty());
        }
    }

    /**
     * Loads a file whose relative paths begin at the working directory.
     *
     * @throws InvalidConfigException with all problems
     */
    public static Loaded load(Path file, Map<String, String> environment) throws InvalidConfigException {
        Draft draft = draft(file, null, environment, Folders.WORKING_DIRECTORY);
        if (!draft.problems().isEmpty()) {
            throw new InvalidConfigException(draft.problems());
        }
        return draft.loaded();
    }

    /**
     * Reads a file and its includes. Returns a draft despite problems.
     *
     * @param text in place of the file's; null to read the file
     * @param environment values for {@code ${NAME}} if no setting has that name
     * @param folders at which relative paths begin
     * @throws InvalidConfigException if nothing of the file can be read
     */
    public static Draft draft(Path file, @Nullable String text, Map<String, String> environment, Folders folders)
            throws InvalidConfigException {
        HoconDocument document = HoconDocument.read(file, text, environment, reference());
        Reading reading = new Reading(document);
        WeirConfig config = WeirConfig.read(reading.root(), folders);
        return new Draft(new Loaded(config, document.sources(), document.root()), reading.finish(), reading);
    }

    /** Returns every setting of the proxy with its default. */
    static ConfigObject reference() {
        return HoconDocument.resource(ConfigLoader.class, "/reference.conf");
    }
}
