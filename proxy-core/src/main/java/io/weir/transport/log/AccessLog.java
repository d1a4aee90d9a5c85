package io.weir.transport.log;

/** The log of requests and answers. Thread-safe. */
public interface AccessLog {

    /** Records a finished entry. Never blocks. */
    void add(AccessLogEntry entry);
}
