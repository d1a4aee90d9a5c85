package io.weir.app;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reaction to SIGHUP. Until it is known, signals wait, so that one during the start does not end the process. Thread-safe.
 *
 * <p>The JDK has signals in {@code sun.misc} alone, which the compiler refuses; hence the reflection.
 */
final class Hangup {

    private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

    private @Nullable Runnable reaction;
    private boolean waiting;

    private Hangup() {}

    /** Takes the signal over from the JVM, which would end the process. Does nothing on systems without it. */
    static Hangup watch() {
        Hangup hangup = new Hangup();
        try {
            hangup.register();
        } catch (InvocationTargetException e) {
            LOG.info("SIGHUP is not available: {}", String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            LOG.info("SIGHUP is not available: {}", e.toString());
        }
        return hangup;
    }

    private void register() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        MethodHandle received = MethodHandles.lookup()
                .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                .bindTo((Runnable) this::received);
        Object adapter =
                MethodHandleProxies.asInterfaceInstance(handler, MethodHandles.dropArguments(received, 0, signal));
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), adapter);
    }

    /** Sets the reaction, and runs it at once if a signal has come before. */
    synchronized void reactBy(Runnable action) {
        reaction = action;
        if (waiting) {
            waiting = false;
            action.run();
        }
    }

    synchronized void received() {
        if (reaction == null) {
            waiting = true;
        } else {
            reaction.run();
        }
    }
}
