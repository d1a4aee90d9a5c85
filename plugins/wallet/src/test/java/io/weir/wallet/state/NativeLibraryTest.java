package io.weir.wallet.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test has classes of its own, since a class loader loads the library once. */
class NativeLibraryTest {
    private static final String TEMPORARY = "org.sqlite.tmpdir";
    private static final String LIBRARY = "org.sqlite.lib.path";

    @TempDir
    Path folder;

    private URLClassLoader classes;

    @BeforeEach
    void open() {
        URL[] path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(NativeLibraryTest::url)
                .toArray(URL[]::new);
        classes = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
    }

    @AfterEach
    void close() throws Exception {
        System.clearProperty(TEMPORARY);
        System.clearProperty(LIBRARY);
        classes.close();
    }

    @Test
    void theLibraryIsLoadedWithoutTheDriversCopyAndLeavesNoFile() throws Exception {
        System.setProperty(TEMPORARY, folder.toString());
        load();
        connect();
        assertThat(files()).isEmpty();
        assertThat(System.getProperty(LIBRARY)).isNull();
    }

    @Test
    void withoutAFolderForTheCopyTheDriverIsLeftToItself() throws Exception {
        System.setProperty(TEMPORARY, folder.resolve("missing").toString());
        load();
        System.setProperty(TEMPORARY, folder.toString());
        connect();
        assertThat(files()).isNotEmpty();
    }

    @Test
    void aFolderThatTheOperatorNamesIsTheDrivers() throws Exception {
        System.setProperty(TEMPORARY, folder.toString());
        System.setProperty(LIBRARY, folder.resolve("other").toString());
        load();
        assertThat(System.getProperty(LIBRARY))
                .isEqualTo(folder.resolve("other").toString());
        connect();
        assertThat(files()).isNotEmpty();
    }

    private void load() throws Exception {
        Method load = classes.loadClass(NativeLibrary.class.getName()).getDeclaredMethod("load");
        load.setAccessible(true);
        load.invoke(null);
    }

    private void connect() throws Exception {
        Driver driver = (Driver)
                classes.loadClass("org.sqlite.JDBC").getDeclaredConstructor().newInstance();
        try (Connection memory = Objects.requireNonNull(driver.connect("jdbc:sqlite::memory:", new Properties()))) {
            assertThat(memory.isValid(1)).isTrue();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }
}
