package io.weir.app.start;

/** The text form of failures for operators. */
public final class Failures {

    private Failures() {}

    /** Returns the first line of the failure's message, or its type if it has none. */
    public static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
