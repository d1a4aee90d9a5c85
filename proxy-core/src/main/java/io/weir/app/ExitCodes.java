package io.weir.app;

/** What the program exits with. */
final class ExitCodes {

    /** All well. */
    static final int WELL = 0;

    /** A problem of the configuration or at the start. */
    static final int PROBLEM = 1;

    /** Memory has run out. */
    static final int OUT_OF_MEMORY = 3;

    private ExitCodes() {}
}
