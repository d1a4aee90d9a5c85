package io.weir.plugin.load;

import org.jspecify.annotations.Nullable;

/** Says what a failed class lookup means to the author of a plugin. Stateless. */
public final class LinkProblem {

    private LinkProblem() {}

    /** One line about any failure of plugin code; for missing classes it says where classes may come from. */
    public static String text(Throwable failure) {
        Throwable cause = failure instanceof ExceptionInInitializerError && failure.getCause() != null
                ? failure.getCause()
                : failure;
        String message = firstLine(cause.getMessage());
        if (cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError) {
            return "no class " + message.replace('/', '.')
                    + " (expected: a class of the plugin's own, of the JDK, or of what the host shares)";
        }
        return message.isEmpty() ? cause.getClass().getName() : cause.getClass().getSimpleName() + ": " + message;
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "" : message.lines().findFirst().orElse("");
    }
}
