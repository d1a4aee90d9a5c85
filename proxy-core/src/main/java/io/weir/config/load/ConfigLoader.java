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
     * Loads a file and those it includes.
     *
     * @param environment what {@code ${NAME}} finds where no setting has that name
     * @throws InvalidConfigException with all problems
     */
    public static Loaded load(Path file, Map<String, String> environment) throws InvalidConfigException {
        HoconDocument document = HoconDocument.read(file, environment, reference());
        Reading reading = new Reading(document);
        WeirConfig config = WeirConfigReader.read(reading.root());
        List<Problem> problems = reading.finish();
        if (!problems.isEmpty()) {
            throw new InvalidConfigException(problems);
        }
        return new Loaded(config, document.sources());
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
