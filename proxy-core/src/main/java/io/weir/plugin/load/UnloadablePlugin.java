package io.weir.plugin.load;

/** Signals in one line why a plugin cannot be loaded. Immutable. */
public final class UnloadablePlugin extends Exception {

    UnloadablePlugin(String message) {
        super(message, null, false, false);
    }
}
