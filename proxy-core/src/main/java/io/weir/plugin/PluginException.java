package io.weir.plugin;

import java.util.List;

/** Says what is wrong with plugins, one line for each problem. */
public final class PluginException extends Exception {

    private final List<String> problems;

    PluginException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        this.problems = List.copyOf(problems);
    }

    PluginException(String problem) {
        this(List.of(problem));
    }

    /** The problems, for the operator to read. */
    public List<String> problems() {
        return problems;
    }
}
