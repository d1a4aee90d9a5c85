package io.weir.method;

/** The meaning of the result {@code null}. */
public enum NullMeaning {
    /** Nothing in particular: the method looks nothing up. */
    NONE,
    /** There is no such block. A block that exists is never answered with {@code null}. */
    NO_BLOCK,
    /** There is no such object; its block may exist. */
    NO_OBJECT
}
