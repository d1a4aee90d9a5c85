package io.weir.transport.entry;

/** The event that asks a connection to end: it answers what is in flight and closes. */
public enum Drain {
    /** The proxy is about to stop. */
    BEGIN
}
