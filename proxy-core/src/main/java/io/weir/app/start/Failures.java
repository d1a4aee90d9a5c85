package io.weir.app.start;

/** Failures as people read them. */
public final class Failures {

    private Failures() {}

    /** The failure in one line: its message, or its type where it has none. */
    public static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
