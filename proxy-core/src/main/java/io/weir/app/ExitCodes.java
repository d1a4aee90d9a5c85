package io.weir.app;

/** What the program exits with. */
final class ExitCodes {

    /** All well. */
    static final int WELL = 0;

    /** A problem of the configuration or at the start. */
    static final int PROBLEM = 1;

    private ExitCodes() {}
}
