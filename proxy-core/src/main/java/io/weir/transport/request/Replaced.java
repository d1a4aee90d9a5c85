package io.weir.transport.request;

/** The event that another generation serves, so that a connection must be admitted anew. */
public enum Replaced {
    /** The generation was published. */
    GENERATION
}
