package io.weir.bench.load.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a run's programs: a folder for configurations and logs, a Java, free ports. Immutable.
 *
 * @param folder of the run
 * @param checkout the root of the checkout
 * @param variants of this proxy
 */
public record Workshop(Path folder, Path checkout, Pinning pinning, WeirVariants variants) {

    /** The JSON-RPC proxy's jar. */
    public Path weirJar() {
        return checkout.resolve("proxy-core/target/weir.jar");
    }

    /** Returns the jar that one of the JSON-RPC proxies runs. */
    Path weirJar(ServerName name) {
        return variants.jar(name, weirJar());
    }

    /** The archive of the proxy as it is installed; null if the build made none. */
    @Nullable
    Path distribution() throws IOException {
        try (Stream<Path> files = Files.list(weirJar().getParent())) {
            return files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Installs the proxy anew, and returns a command that starts it, without its words. */
    public List<String> install() throws IOException, InterruptedException {
        Path home = file("installed");
        String unpack = "rm -rf \"$1\" && mkdir -p \"$1\" && tar -xzf \"$0\" -C \"$1\" --strip-components=1";
        List<String> command = List.of("sh", "-c", unpack, String.valueOf(distribution()), home.toString());
        if (new ProcessBuilder(command).start().waitFor() != 0) {
            throw new IOException(distribution() + ": cannot be unpacked (expected: the archive of `mvn package`)");
        }
        return List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                home.resolve("bin/weir").toString());
    }

    /** A file of the run. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Writes a file of the run. */
    public Path write(String name, String text) throws IOException {
        return Files.writeString(file(name), text);
    }

    /** The Java that this runs on. */
    public static String java() {
        return ProcessHandle.current().info().command().orElse("java");
    }

    /** A command that runs a class of the bench. */
    public List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java(), "-Xmx1g", "-XX:+UseSerialGC", "-cp"));
        command.add(ManagementFactory.getRuntimeMXBean().getClassPath());
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }
}
