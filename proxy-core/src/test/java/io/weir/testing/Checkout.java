package io.weir.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where things are in the checkout that the tests run in. Immutable. */
public final class Checkout {

    private final Path root;

    private Checkout(Path root) {
        this.root = root;
    }

    /** The checkout around the working directory, be that its root or a module. */
    public static Checkout find() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve(".mvn/checkstyle.xml"))) {
                return new Checkout(folder);
            }
        }
        throw new IllegalStateException(
                "working directory: " + Path.of("").toAbsolutePath() + " (expected: a folder of the checkout)");
    }

    /** Its root. */
    public Path root() {
        return root;
    }

    /** The proxy as built by {@code mvn package}. */
    public Path jar() {
        return root.resolve("proxy-core/target/weir.jar");
    }

    /** The folder of the real node and the real clients. */
    public Path npm() {
        return root.resolve("proxy-core/src/test/npm");
    }
}
