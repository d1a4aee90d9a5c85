package io.weir.hocon;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A configuration read from files: one resolved tree over its defaults. Immutable.
 *
 * @param root the values
 * @param sources the positions of the values
 * @param problems of files, includes and substitutions
 * @param complete false if some part could not be read, so that an absent setting may be in that part
 */
public record HoconDocument(ConfigObject root, Sources sources, List<Problem> problems, boolean complete) {

    /** Reads a file and its includes. */
    public static HoconDocument read(Path file, Map<String, String> environment, ConfigObject defaults)
            throws InvalidConfigException {
        return read(file, null, environment, defaults);
    }

    /**
     * Reads a text and its includes.
     *
     * @param file the name of the text in messages
     * @param text null to read the file of that name
     * @param environment values for {@code ${NAME}} if no setting has that name
     * @param defaults the values below all others
     * @throws InvalidConfigException if nothing of the main file can be used
     */
    public static HoconDocument read(
            Path file, @Nullable String text, Map<String, String> environment, ConfigObject defaults)
            throws InvalidConfigException {
        Sources sources = new Sources(file.toString());
        List<Problem> problems = new ArrayList<>();
        try {
            HoconFiles files = new HoconFiles(sources, problems);
            ConfigObject root = files.main(file, text);
            if (root == null) {
                throw new InvalidConfigException(problems);
            }
            ConfigObject resolved =
                    new Substitutions(sources, environment, problems).resolve(root.withFallback(defaults));
            return new HoconDocument(resolved, sources, List.copyOf(problems), files.complete());
        } catch (StackOverflowError e) {
            // The parser recurses as deep as the brackets are nested.
            problems.add(new Problem(file.toString(), 1, 0, "file", "nested too deeply", "fewer brackets"));
            throw new InvalidConfigException(problems);
        }
    }

    /** Returns the values in a file of the program itself, unresolved. */
    public static ConfigObject resource(Class<?> owner, String path) {
        ConfigParseOptions options =
                ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setOriginDescription(path.substring(1));
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(path), path)) {
            return ConfigFactory.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8), options)
                    .root();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a value stands for a missing substitution, which is already among the problems. */
    public static boolean isUnknown(ConfigValue value) {
        return Substitutions.isUnknown(value);
    }
}
