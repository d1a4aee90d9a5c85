package io.weir.l2.deploy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The plugin's settings; {@code reference.conf} says what each is for. Immutable.
 *
 * @param bareBounds by network, the one that takes resource bounds that are single hex strings
 */
record DeploySettings(
        String methodPrefix, List<String> aliases, String upstreamMethod, Map<String, String> bareBounds) {
    private static final String METHOD = "_addDeployAccountTransaction";
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,31}");
    private static final Pattern NAME = Pattern.compile("\\S{1,200}");

    DeploySettings {
        aliases = List.copyOf(aliases);
        bareBounds = Map.copyOf(bareBounds);
    }

    static DeploySettings read(Config settings) {
        Map<String, String> bareBounds = new TreeMap<>();
        for (Map.Entry<String, ConfigValue> entry :
                settings.getConfig("bare-bounds").root().entrySet()) {
            bareBounds.put(entry.getKey(), String.valueOf(entry.getValue().unwrapped()));
        }
        return new DeploySettings(
                settings.getString("method-prefix"),
                settings.getStringList("aliases"),
                settings.getString("upstream-method"),
                bareBounds);
    }

    /** The names that the method is served under. */
    Set<String> methods() {
        Set<String> names = new LinkedHashSet<>();
        names.add(methodPrefix + METHOD);
        aliases.forEach(alias -> names.add(alias + METHOD));
        return names;
    }

    List<String> problems() {
        List<String> problems = new ArrayList<>();
        require(
                problems,
                "method-prefix",
                methodPrefix,
                PREFIX.matcher(methodPrefix).matches(),
                "letters and digits");
        for (int i = 0; i < aliases.size(); i++) {
            String alias = aliases.get(i);
            require(problems, "aliases." + i, alias, PREFIX.matcher(alias).matches(), "letters and digits");
        }
        require(
                problems,
                "upstream-method",
                upstreamMethod,
                NAME.matcher(upstreamMethod).matches(),
                "a method's name, without spaces");
        bareBounds.forEach((from, to) -> require(
                problems,
                ConfigUtil.joinPath("bare-bounds", from),
                to,
                NAME.matcher(to).matches(),
                "a network's name"));
        return problems;
    }

    private static void require(List<String> problems, String path, String value, boolean holds, String rule) {
        if (!holds) {
            problems.add(path + ": " + value + " (expected: " + rule + ")");
        }
    }
}
