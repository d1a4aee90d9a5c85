package io.weir.plugin.load;

/** Says in one line why a plugin cannot be loaded. */
public final class UnloadablePlugin extends Exception {

    UnloadablePlugin(String message) {
        super(message, null, false, false);
    }
}
