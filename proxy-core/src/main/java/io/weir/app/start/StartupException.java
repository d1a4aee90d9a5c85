package io.weir.app.start;

import java.util.List;

/** Signals that the proxy cannot start. Lists every reason, one line each. Immutable. */
public final class StartupException extends Exception {

    private final transient List<String> problems;

    StartupException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
