package io.weir.wallet.state;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * The loading of the driver's native library. The driver by itself writes a copy, and compares it with the original byte by byte, for
 * which a proxy that starts would wait. Thread-safe; blocks.
 */
final class NativeLibrary {
    /** The driver loads the library from the folder that this property names, and otherwise from its own copy. */
    private static final String FOLDER = "org.sqlite.lib.path";

    private static boolean tried;

    private NativeLibrary() {}

    /**
     * Loads the library, once. Leaves that to the driver, whose errors say what is wrong, if it is told a folder, or if no copy can be
     * written or loaded.
     */
    static synchronized void load() {
        if (tried || System.getProperty(FOLDER) != null) {
            return;
        }
        tried = true;
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (library != null) {
                loadCopy(library, name);
            }
        } catch (Exception e) {
            // The driver tries it by its own copy when it connects.
        }
    }

    private static void loadCopy(InputStream library, String name) throws Exception {
        String temporary = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
        Path folder = Files.createTempDirectory(Path.of(temporary), "weir-sqlite-");
        Path copy = folder.resolve(name);
        try {
            Files.copy(library, copy);
            System.setProperty(FOLDER, folder.toString());
            SQLiteJDBCLoader.initialize();
        } finally {
            System.clearProperty(FOLDER);
            delete(copy);
            delete(folder);
        }
    }

    /** Some systems keep the file of a loaded library until the process ends. */
    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
