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

    /** Returns one line about any failure of plugin code. For missing classes it names the allowed sources of classes. */
    static String reason(Throwable failure) {
        Throwable cause = failure instanceof ExceptionInInitializerError && failure.getCause() != null
                ? failure.getCause()
                : failure;
        String message = cause.getMessage() == null ? "" : cause.getMessage().split("\\R", 2)[0];
        if (cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError) {
            return "no class " + message.replace('/', '.')
                    + " (expected: a class of the plugin's own, of the JDK, or of what the host shares)";
        }
        return message.isEmpty() ? cause.getClass().getName() : cause.getClass().getSimpleName() + ": " + message;
    }
}
