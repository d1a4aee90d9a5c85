package io.weir.config.hocon;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with everything that is wrong with it. Immutable. */
public final class InvalidConfigException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** Takes at least one problem; they are sorted by file and line. */
    public InvalidConfigException(List<Problem> problems) {
        super(problems.stream().sorted().distinct().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = problems.stream().sorted().distinct().toList();
    }

    /** Sorted by file and line, each once. */
    public List<Problem> problems() {
        return problems;
    }

    /** The problems as the lines to print. */
    public List<String> lines() {
        return problems.stream().map(Problem::toString).toList();
    }
}
