package io.weir.app;

import java.util.List;

/** The proxy cannot start; says every reason, one line each. */
final class StartupException extends Exception {

    private final transient List<String> problems;

    StartupException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    List<String> problems() {
        return problems;
    }
}
