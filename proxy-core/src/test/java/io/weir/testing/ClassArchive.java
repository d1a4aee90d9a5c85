package io.weir.testing;

import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes of the built proxy in the JVM's own form, which saves a third of the processor time of each start. The first test of a
 * build makes the file, beside the proxy's jar. Thread-safe.
 */
final class ClassArchive {

    /** Set in JVMs whose agents change classes: no archive is made or read with them. */
    private static final String UNUSED = "weir.test.no-class-archive";

    private ClassArchive() {}

    /** The flags that let a JVM read the archive: none if the JVM cannot make one, or if there is no jar. */
    static synchronized List<String> flags(Checkout checkout) {
        if (Boolean.getBoolean(UNUSED) || !Files.isRegularFile(checkout.jar())) {
            return List.of();
        }
        Path folder = checkout.jar().resolveSibling("class-archive");
        try {
            Files.createDirectories(folder);
            Path archive = folder.resolve(name(checkout.jar()));
            if (!Files.exists(archive)) {
                make(folder, archive);
            }
            // The JVM ignores an archive that does not suit it. Tests read standard output: it gets no warning.
            return Files.size(archive) == 0 ? List.of() : List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A name for this JVM and these jars: the JVM reads an archive of the same jars alone. */
    private static String name(Path jar) throws IOException {
        long hash = System.getProperty("java.vm.version").hashCode();
        try (Stream<Path> libraries = Files.list(jar.resolveSibling("lib"))) {
            for (Path file : Stream.concat(Stream.of(jar), libraries.sorted()).toList()) {
                hash = 31 * hash + file.hashCode();
                hash = 31 * hash + Files.getLastModifiedTime(file).toMillis();
                hash = 31 * hash + Files.size(file);
            }
        }
        return Long.toHexString(hash) + ".jsa";
    }

    /** Makes the archive if no other process has. A proxy that ended without one leaves an empty file. */
    private static void make(Path folder, Path archive) throws IOException {
        try (FileChannel lock =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Held until the channel is closed.
            lock.lock();
            if (Files.exists(archive)) {
                return;
            }
            try (Stream<Path> outdated = Files.list(folder)) {
                for (Path file : outdated.filter(file -> !file.endsWith("lock")).toList()) {
                    Files.delete(file);
                }
            }
            Path unfinished = folder.resolve("unfinished");
            run(unfinished);
            if (!Files.exists(unfinished)) {
                Files.createFile(unfinished);
            }
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Runs a proxy before a node and calls it, so that it loads its classes. It would ask again for an answer in no right form. */
    private static void run(Path archive) {
        TestChain chain = new TestChain(1, new SignedTransactions(), Memory.FORGETS);
        chain.mine(3);
        try (ChainServer node = new ChainServer(chain)) {
            run(archive, node);
        }
    }

    private static void run(Path archive, ChainServer node) {
        String configuration = ConfigurationText.of("test", Long.toString(SignedTransactions.CHAIN_ID))
                .upstream("node", node.url())
                .text();
        try (WeirProcess weir = WeirProcess.startWith(List.of("-XX:ArchiveClassesAtExit=" + archive), configuration);
                JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            client.result("eth_blockNumber");
            client.result("eth_getBalance", "0x" + "0".repeat(40), "latest");
            socket.send(JsonRpcClient.call("eth_subscribe", "newHeads"));
            socket.await();
        }
    }
}
