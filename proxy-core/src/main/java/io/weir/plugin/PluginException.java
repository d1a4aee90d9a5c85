package io.weir.plugin;

import java.util.List;

/** Signals problems of plugins, one line each. Immutable. */
public final class PluginException extends Exception {

    private final List<String> problems;

    PluginException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        this.problems = List.copyOf(problems);
    }

    PluginException(String problem) {
        this(List.of(problem));
    }

    /** Returns the problems, for the operator. */
    public List<String> problems() {
        return problems;
    }
}
