package io.weir.hocon;

import java.util.List;
import java.util.stream.Collectors;

/** Signals a configuration that cannot be used, with all its problems. Immutable. */
public final class InvalidConfigException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** Creates the exception from at least one problem. Sorts them by file and line. */
    public InvalidConfigException(List<Problem> problems) {
        super(problems.stream().sorted().distinct().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = problems.stream().sorted().distinct().toList();
    }

    /** Returns the problems, sorted by file and line, without duplicates. */
    public List<Problem> problems() {
        return problems;
    }

    /** Returns the problems as lines to print. */
    public List<String> lines() {
        return problems.stream().map(Problem::toString).toList();
    }
}
