package io.weir.plugin.load;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a plugin sees beside its own: the JDK, and the host packages that both must share. Code of a plugin
 * cannot link to any other host class. Thread-safe.
 */
final class SharedClasses extends ClassLoader {

    private static final List<String> PACKAGES = List.of(
            "io.weir.api.",
            "org.pf4j.",
            "tools.jackson.",
            "com.fasterxml.jackson.annotation.",
            "org.slf4j.",
            "org.jspecify.",
            "com.typesafe.config.");

    private final ClassLoader host;

    SharedClasses(ClassLoader host) {
        super("weir-shared", ClassLoader.getPlatformClassLoader());
        this.host = host;
    }

    /** Returns whether a class always comes from the host. */
    static boolean holds(String className) {
        for (String name : PACKAGES) {
            if (className.startsWith(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return holds(name) ? host.loadClass(name) : super.loadClass(name, resolve);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return holds(name.replace('/', '.')) ? host.getResource(name) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return holds(name.replace('/', '.')) ? host.getResources(name) : Collections.emptyEnumeration();
    }
}
