package io.weir.config;

/** The format of log lines. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** One JSON object a line. */
    JSON
}
