package io.weir.app;

/** The exit codes of the program. */
final class ExitCodes {

    static final int OK = 0;

    /** A problem of the configuration or at the start. */
    static final int PROBLEM = 1;

    static final int OUT_OF_MEMORY = 3;

    private ExitCodes() {}
}
