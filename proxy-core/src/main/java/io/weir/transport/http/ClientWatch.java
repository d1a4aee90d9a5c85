package io.weir.transport.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Watch for a client that leaves before its answer, with the actions that this causes. Confined to its event loop. */
final class ClientWatch {

    private @Nullable List<Runnable> actions;
    private boolean left;
    private boolean answered;

    /** Registers an action that runs once if the client leaves; at once if it has left. */
    void whenLeft(Runnable action) {
        if (answered) {
            return;
        }
        if (left) {
            action.run();
            return;
        }
        if (actions == null) {
            actions = new ArrayList<>(1);
        }
        actions.add(action);
    }

    /** Notes that the client left. Does nothing after the answer. */
    void left() {
        if (left || answered) {
            return;
        }
        left = true;
        List<Runnable> waiting = actions;
        actions = null;
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    /** Notes the answer, after which no action runs. */
    void answered() {
        answered = true;
        actions = null;
    }
}
