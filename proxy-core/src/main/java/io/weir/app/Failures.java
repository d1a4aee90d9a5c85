package io.weir.app;

/** Failures as people read them. */
final class Failures {

    private Failures() {}

    /** The failure in one line: its message, or its type where it has none. */
    static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
