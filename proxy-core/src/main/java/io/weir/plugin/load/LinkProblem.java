package io.weir.plugin.load;

/** The explanation of failed class lookups for plugin authors. Stateless. */
public final class LinkProblem {

    private LinkProblem() {}

    /**
     * Returns one line about any failure of plugin code. For missing classes it names the allowed sources of classes.
     */
    public static String text(Throwable failure) {
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
