package io.weir.hocon;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigResolver;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.weir.hocon.Sources.LocatedSubstitution;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves {@code ${…}} with settings, environment variables and files of secrets. A missing one becomes a problem at each of its
 * positions. A marker replaces it in the tree, so that checks of the rest do not report it again. Confined to one
 * thread.
 */
final class Substitutions {

    /**
     * The marker for an unknown value or part of a text. It is a noncharacter, which an operator's text never contains.
     */
    private static final String MARK = "\uFDD0";

    private final Sources sources;
    private final Map<String, String> environment;
    private final List<Problem> problems;
    private final Set<List<String>> missing = new HashSet<>();
    private final SecretFiles secrets;
    private final Set<LocatedSubstitution> broken = new HashSet<>();

    Substitutions(Sources sources, Map<String, String> environment, List<Problem> problems) {
        this.sources = sources;
        this.secrets = new SecretFiles(sources);
        this.environment = environment;
        this.problems = problems;
    }

    /** Returns whether a value comes from a missing substitution, which was reported already. */
    static boolean isUnknown(ConfigValue value) {
        return value.unwrapped() instanceof String text && text.contains(MARK);
    }

    ConfigObject resolve(ConfigObject tree) throws InvalidConfigException {
        Config unresolved = tree.toConfig();
        Config resolved = null;
        while (resolved == null) {
            try {
                resolved = resolve(unresolved);
            } catch (ConfigException e) {
                // The exception names one setting at a time: remove it and continue, to find them all.
                unresolved = without(unresolved, culprit(unresolved, e));
            }
        }
        for (LocatedSubstitution substitution : sources.substitutions()) {
            if (missing.contains(substitution.path())) {
                String rule = missingRule(substitution);
                if (rule != null) {
                    problems.add(problem(substitution, rule));
                }
            }
        }
        return resolved.root();
    }

    /** Returns the rule that a substitution without a value breaks; null if it needs none. */
    private @Nullable String missingRule(LocatedSubstitution substitution) {
        boolean optional = substitution.where().optional();
        String name = String.join(".", substitution.where().name());
        if (!SecretFiles.isFile(name)) {
            return optional ? null : "an environment variable, or another setting, of that name";
        }
        SecretFiles.Content content = secrets.content(name, substitution.file());
        return optional && content.missing() ? null : "a file with a secret; now: " + content.reason();
    }

    private Config resolve(Config unresolved) {
        return unresolved.resolve(ConfigResolveOptions.noSystem().appendResolver(new Lookup()));
    }

    private static Config without(Config unresolved, LocatedSubstitution substitution) {
        return unresolved.withValue(ConfigUtil.joinPath(substitution.owner()), marker());
    }

    /** Finds and reports the substitution that cannot be resolved. */
    private LocatedSubstitution culprit(Config unresolved, ConfigException e) throws InvalidConfigException {
        boolean circle = e instanceof ConfigException.UnresolvedSubstitution;
        String rule = circle ? "no circle of substitutions" : "parts that go together";
        // Last first: a wrong combination is usually below its parts.
        for (int i = sources.substitutions().size() - 1; i >= 0; i--) {
            LocatedSubstitution candidate = sources.substitutions().get(i);
            boolean guilty = circle ? isNamed(candidate, e) : changes(without(unresolved, candidate), e);
            if (guilty && broken.add(candidate)) {
                problems.add(problem(candidate, rule));
                return candidate;
            }
        }
        problems.add(new Problem(sources.mainFile(), 1, 0, "file", "a substitution that cannot be made", rule));
        throw new InvalidConfigException(problems);
    }

    private static boolean isNamed(LocatedSubstitution candidate, ConfigException e) {
        String line = candidate.file() + ": " + candidate.where().spot().line();
        String name = "${" + ConfigUtil.joinPath(candidate.path()) + "} was part of a cycle";
        return e.origin() != null
                && e.origin().description().equals(line)
                && String.valueOf(e.getMessage()).contains(name);
    }

    /** Returns whether the failure changes or vanishes. Its origin is that of one of the parts and does not help. */
    private boolean changes(Config candidate, ConfigException e) {
        try {
            resolve(candidate);
            return true;
        } catch (ConfigException other) {
            return !String.valueOf(other.getMessage()).equals(e.getMessage());
        }
    }

    private static Problem problem(LocatedSubstitution located, String rule) {
        return new Problem(
                located.file(),
                located.where().spot().line(),
                located.where().spot().column(),
                Sources.render(located.owner()),
                "${" + Sources.render(located.where().name()) + "}",
                rule);
    }

    private static ConfigValue marker() {
        return ConfigValueFactory.fromAnyRef(MARK, "missing");
    }

    /**
     * Resolves each name that no setting has. The name begins with the path of the block it was included into. Confined
     * to one thread.
     */
    private final class Lookup implements ConfigResolver {

        @Override
        public @Nullable ConfigValue lookup(String path) {
            List<String> names = ConfigUtil.splitPath(path);
            String variable = names.get(names.size() - 1);
            String file = sources.mainFile();
            boolean required = false;
            for (LocatedSubstitution substitution : sources.substitutions()) {
                if (substitution.path().equals(names)) {
                    required |= !substitution.where().optional();
                    variable = String.join(".", substitution.where().name());
                    file = substitution.file();
                }
            }
            if (SecretFiles.isFile(variable)) {
                return secret(names, secrets.content(variable, file), required);
            }
            String value = environment.get(variable);
            if (value != null) {
                return ConfigValueFactory.fromAnyRef(value, "environment");
            }
            if (!required) {
                return null;
            }
            missing.add(names);
            return marker();
        }

        private @Nullable ConfigValue secret(List<String> names, SecretFiles.Content content, boolean required) {
            if (content.text() != null) {
                return ConfigValueFactory.fromAnyRef(content.text(), "a file with a secret");
            }
            if (content.missing() && !required) {
                return null;
            }
            missing.add(names);
            return marker();
        }

        @Override
        public ConfigResolver withFallback(ConfigResolver fallback) {
            return this;
        }
    }

    /**
     * The files whose content substitutions such as <code>${"file:/run/secrets/token"}</code> stand for, each read once. Line ends at the
     * end of a file do not belong to its content. Confined to one thread.
     */
    private static final class SecretFiles {

        private static final String SCHEME = "file:";
        private static final int MAX_CHARS = 65_536;

        private final Sources sources;
        private final Map<Path, Content> read = new HashMap<>();

        SecretFiles(Sources sources) {
            this.sources = sources;
        }

        /**
         * Content of a file. Immutable.
         *
         * @param text null if there is none
         * @param missing whether there is no such file
         * @param reason why there is no text, for the operator; empty if there is one
         */
        record Content(@Nullable String text, boolean missing, String reason) {

            private static Content none(boolean missing, String reason) {
                return new Content(null, missing, reason);
            }

            @Override
            public String toString() {
                return "Content[" + reason + "]";
            }
        }

        /** Returns whether a substitution names a file. */
        static boolean isFile(String name) {
            return name.startsWith(SCHEME);
        }

        /**
         * Returns the content of the file that a substitution names.
         *
         * @param from the file of the substitution, at whose folder relative paths begin
         */
        Content content(String name, String from) {
            try {
                return read.computeIfAbsent(
                        Path.of(from)
                                .resolveSibling(name.substring(SCHEME.length()))
                                .normalize(),
                        this::read);
            } catch (InvalidPathException e) {
                return Content.none(false, "is not a file name");
            }
        }

        private Content read(Path file) {
            sources.add(file);
            try {
                String text = SourceText.read(file);
                int end = text.length();
                while (end > 0 && "\r\n".indexOf(text.charAt(end - 1)) >= 0) {
                    end--;
                }
                if (end == 0 || end > MAX_CHARS) {
                    return Content.none(false, end == 0 ? "is empty" : "larger than " + MAX_CHARS + " characters");
                }
                return new Content(text.substring(0, end), false, "");
            } catch (SourceText.NotUtf8Exception e) {
                return Content.none(false, "not UTF-8");
            } catch (IOException e) {
                return Content.none(e instanceof NoSuchFileException, SourceText.reason(file, e));
            }
        }
    }
}
