package io.weir.api;

/** Who makes a call: a configured API key, by its name (never its text), or nobody in particular. Immutable. */
public interface Caller {

    /** The key's name in the configuration, or {@code anonymous}. */
    String name();

    /** Whether the caller may use the network of this name. */
    boolean mayUseNetwork(String network);

    /** Whether the caller may call the method of this name. */
    boolean mayUseMethod(String method);
}
