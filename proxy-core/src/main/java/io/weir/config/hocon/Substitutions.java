package io.weir.config.hocon;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigResolver;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.weir.config.hocon.Sources.PlacedSubstitution;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts settings and environment variables in the place of {@code ${…}}. What is missing becomes a problem at each of its
 * places, and a marker in the tree, so that the rest can be looked at without a second complaint. Confined to one thread.
 */
final class Substitutions {

    /** Stands, alone or within a text, for what is not known. No text of an operator holds a noncharacter. */
    private static final String MARK = "\uFDD0";

    private final Sources sources;
    private final Map<String, String> environment;
    private final List<Problem> problems;
    private final Set<List<String>> missing = new HashSet<>();
    private final Set<PlacedSubstitution> broken = new HashSet<>();

    Substitutions(Sources sources, Map<String, String> environment, List<Problem> problems) {
        this.sources = sources;
        this.environment = environment;
        this.problems = problems;
    }

    /** Whether a value came from something missing, which has been complained about. */
    static boolean isUnknown(ConfigValue value) {
        return value.unwrapped() instanceof String text && text.contains(MARK);
    }

    ConfigObject resolve(ConfigObject tree) throws InvalidConfigException {
        ConfigResolveOptions options = ConfigResolveOptions.noSystem().appendResolver(new Lookup());
        Config unresolved = tree.toConfig();
        Config resolved = null;
        while (resolved == null) {
            try {
                resolved = unresolved.resolve(options);
            } catch (ConfigException e) {
                // One setting at a time is named: take it out and go on, to name them all.
                unresolved = unresolved.withValue(brokenSetting(e), marker());
            }
        }
        for (PlacedSubstitution substitution : sources.substitutions()) {
            if (!substitution.where().optional() && missing.contains(substitution.path())) {
                problems.add(problem(substitution, "an environment variable, or another setting, of that name"));
            }
        }
        return resolved.root();
    }

    /** Complains about the substitution that could not be made and gives the path of the setting it stands in. */
    private String brokenSetting(ConfigException e) throws InvalidConfigException {
        String place = e.origin() == null ? "" : e.origin().description();
        String rule = e instanceof ConfigException.WrongType ? "parts that go together" : "no circle of substitutions";
        for (PlacedSubstitution substitution : sources.substitutions()) {
            boolean here = place.equals(
                    substitution.file() + ": " + substitution.where().spot().line());
            if (here && broken.add(substitution)) {
                problems.add(problem(substitution, rule));
                return ConfigUtil.joinPath(substitution.owner());
            }
        }
        problems.add(new Problem(sources.mainFile(), 1, 0, "file", "a substitution that cannot be made", rule));
        throw new InvalidConfigException(problems);
    }

    private static Problem problem(PlacedSubstitution placed, String rule) {
        return new Problem(
                placed.file(),
                placed.where().spot().line(),
                placed.where().spot().column(),
                Sources.render(placed.owner()),
                "${" + Sources.render(placed.where().name()) + "}",
                rule);
    }

    private static ConfigValue marker() {
        return ConfigValueFactory.fromAnyRef(MARK, "missing");
    }

    /** Asked for each name that no setting has, with the path of the block it was included into before it. */
    private final class Lookup implements ConfigResolver {

        @Override
        public @Nullable ConfigValue lookup(String path) {
            List<String> names = ConfigUtil.splitPath(path);
            String variable = names.get(names.size() - 1);
            boolean required = false;
            for (PlacedSubstitution substitution : sources.substitutions()) {
                if (substitution.path().equals(names)) {
                    required |= !substitution.where().optional();
                    variable = String.join(".", substitution.where().name());
                }
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

        @Override
        public ConfigResolver withFallback(ConfigResolver fallback) {
            return this;
        }
    }
}
