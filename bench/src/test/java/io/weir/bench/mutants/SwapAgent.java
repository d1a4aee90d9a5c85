package io.weir.bench.mutants;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives a JVM the classes of a folder in place of its own with the same names, whatever loads them: its class path, a jar's
 * manifest or a plugin. Immutable.
 */
public final class SwapAgent implements ClassFileTransformer {

    private final Map<String, byte[]> classes;

    private SwapAgent(Map<String, byte[]> classes) {
        this.classes = Map.copyOf(classes);
    }

    /** Called by the JVM, with the folder of the classes. */
    public static void premain(String folder, Instrumentation instrumentation) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        Path root = Path.of(folder);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString().replace('\\', '/');
                classes.put(name.substring(0, name.lastIndexOf('.')), Files.readAllBytes(file));
            }
        }
        instrumentation.addTransformer(new SwapAgent(classes));
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            ProtectionDomain domain,
            byte[] original) {
        return name == null ? null : classes.get(name);
    }

    /** Writes a jar with this agent, and with the program that runs tests: a JVM with an agent has its jar in its class path. */
    static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", SwapAgent.class.getName());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (Class<?> type : List.of(SwapAgent.class, FirstFailure.class)) {
                String entry = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(entry));
                try (InputStream in = requireNonNull(type.getClassLoader().getResourceAsStream(entry))) {
                    in.transferTo(out);
                }
            }
        }
    }
}
