package io.weir.plugin.load;

/** Signals in one line why a plugin cannot be loaded. Immutable. */
public final class UnloadablePlugin extends Exception {

    UnloadablePlugin(String message) {
        super(message, null, false, false);
    }

    /**
     * Returns one line about any failure of plugin code. For missing classes it names the allowed sources of classes.
     */
    public static String reason(Throwable failure) {
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
