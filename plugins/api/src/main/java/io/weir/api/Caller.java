package io.weir.api;

/** The origin of a call: a configured API key, by its name (never its text), or an anonymous client. Immutable. */
public interface Caller {

    /** The key's name in the configuration, or {@code anonymous}. */
    String name();

    /** Whether the caller may use the network of this name. */
    boolean mayUseNetwork(String network);

    /** Whether the caller may call the method of this name. */
    boolean mayUseMethod(String method);
}
