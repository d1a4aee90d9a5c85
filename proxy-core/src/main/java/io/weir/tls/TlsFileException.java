package io.weir.tls;

import java.nio.file.Path;

/** Signals that a file of certificates or keys cannot be used. Immutable. */
public final class TlsFileException extends Exception {

    private final transient Path file;
    private final String found;
    private final String rule;

    TlsFileException(Path file, String found, String rule) {
        super(file + ": " + found + " (expected: " + rule + ")");
        this.file = file;
        this.found = found;
        this.rule = rule;
    }

    public Path file() {
        return file;
    }

    /** Returns the problem, without any content of a key. */
    public String found() {
        return found;
    }

    public String rule() {
        return rule;
    }
}
