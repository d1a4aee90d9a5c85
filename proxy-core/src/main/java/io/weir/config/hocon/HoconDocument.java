package io.weir.config.hocon;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A configuration read from files: one resolved tree over its defaults. Immutable.
 *
 * @param root the values
 * @param sources where they were written
 * @param problems what was wrong with files, includes and substitutions
 * @param complete false where a part of it could not be read, so that what is absent may only be so for that
 */
public record HoconDocument(ConfigObject root, Sources sources, List<Problem> problems, boolean complete) {

    /**
     * Reads a file and those it includes.
     *
     * @param environment what {@code ${NAME}} finds where no setting has that name
     * @param defaults lie below everything
     * @throws InvalidConfigException when nothing of the main file can be used
     */
    public static HoconDocument read(Path file, Map<String, String> environment, ConfigObject defaults)
            throws InvalidConfigException {
        Sources sources = new Sources(file.toString());
        List<Problem> problems = new ArrayList<>();
        try {
            HoconFiles files = new HoconFiles(sources, problems);
            ConfigObject root = files.main(file);
            if (root == null) {
                throw new InvalidConfigException(problems);
            }
            ConfigObject resolved =
                    new Substitutions(sources, environment, problems).resolve(root.withFallback(defaults));
            return new HoconDocument(resolved, sources, List.copyOf(problems), files.complete());
        } catch (StackOverflowError e) {
            // The parser goes as deep as the brackets do.
            problems.add(new Problem(file.toString(), 1, 0, "file", "nested too deeply", "fewer brackets"));
            throw new InvalidConfigException(problems);
        }
    }

    /** Whether a value stands for a missing substitution, which is among the problems already. */
    public static boolean isUnknown(ConfigValue value) {
        return Substitutions.isUnknown(value);
    }
}
