package io.weir.config;

/**
 * The log of the proxy. Immutable.
 *
 * @param format of its lines
 */
public record LogConfig(Format format) {

    /** The log of a configuration that sets nothing about it. */
    public static final LogConfig DEFAULT = new LogConfig(Format.TEXT);

    /** The format of log lines. */
    public enum Format {
        /** For people. */
        TEXT,
        /** One JSON object a line. */
        JSON
    }
}
