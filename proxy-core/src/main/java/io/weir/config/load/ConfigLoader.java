package io.weir.config.load;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.weir.config.WeirConfig;
import io.weir.config.hocon.HoconDocument;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.hocon.Problem;
import io.weir.config.hocon.Sources;
import io.weir.config.setting.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Loads the configuration, or says everything that is wrong with it. Thread-safe. */
public final class ConfigLoader {

    private ConfigLoader() {}

    /**
     * A configuration without problems. Immutable.
     *
     * @param sources where its settings were written, for what is checked later, such as the blocks of plugins
     */
    public record Loaded(WeirConfig config, Sources sources) {}

    /**
     * What could be read of a configuration, for checking more of it than the proxy itself knows. Immutable.
     *
     * @param loaded holds harmless values where there are problems: not to be run unless there are none
     * @param problems in no order
     */
    public record Draft(Loaded loaded, List<Problem> problems) {}

    /**
     * Loads a file and those it includes.
     *
     * @param environment what {@code ${NAME}} finds where no setting has that name
     * @throws InvalidConfigException with all problems
     */
    public static Loaded load(Path file, Map<String, String> environment) throws InvalidConfigException {
        Draft draft = draft(file, environment);
        if (!draft.problems().isEmpty()) {
            throw new InvalidConfigException(draft.problems());
        }
        return draft.loaded();
    }

    /**
     * Reads as {@link #load} does, and goes on where that gives up.
     *
     * @throws InvalidConfigException when nothing of the file can be read
     */
    public static Draft draft(Path file, Map<String, String> environment) throws InvalidConfigException {
        HoconDocument document = HoconDocument.read(file, environment, reference());
        Reading reading = new Reading(document);
        WeirConfig config = WeirConfigReader.read(reading.root());
        return new Draft(new Loaded(config, document.sources()), reading.finish());
    }

    /** Every setting of the proxy with its default. */
    static ConfigObject reference() {
        ConfigParseOptions options =
                ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setOriginDescription("reference.conf");
        try (InputStream in = Objects.requireNonNull(ConfigLoader.class.getResourceAsStream("/reference.conf"))) {
            return ConfigFactory.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8), options)
                    .root();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
