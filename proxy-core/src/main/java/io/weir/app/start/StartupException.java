package io.weir.app.start;

import java.util.List;

/** The proxy cannot start; says every reason, one line each. */
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
