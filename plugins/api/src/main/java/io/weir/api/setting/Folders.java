package io.weir.api.setting;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folders at which relative paths of a configuration begin in place of the folder of the file that states them. Immutable.
 *
 * @param program the root of the distribution, whose parts the proxy only reads; empty for the working directory
 * @param data the one folder that the proxy writes to; null if none was named
 */
public record Folders(Path program, @Nullable Path data) {

    /** No distribution, and no data folder. */
    public static final Folders WORKING_DIRECTORY = new Folders(Path.of(""), null);

    private static final Path DATA = Path.of("data");

    /** Returns the folders that {@code bin/weir} names to this process: the property {@code weir.home} and the variable {@code WEIR_DATA}. */
    public static Folders ofProcess() {
        return of(System.getProperty("weir.home"), System.getenv("WEIR_DATA"));
    }

    /**
     * Returns the folders of a distribution.
     *
     * @param program the root of the distribution, or null if the program does not run from one
     * @param data the data folder, or null if none was named
     */
    static Folders of(@Nullable String program, @Nullable String data) {
        return new Folders(
                Path.of(program == null ? "" : program),
                data == null || data.isEmpty() ? null : Path.of(data).toAbsolutePath());
    }

    /** Returns a path that is only read. */
    public Path read(String path) {
        return program.resolve(path);
    }

    /** Returns the path of a part of the distribution; {@code beside}, the path that begins at its file, if there is such a folder. */
    Path read(String path, Path beside) {
        return Files.isDirectory(beside) ? beside : read(path);
    }

    /**
     * Returns a path that is written to; {@code beside}, the path that begins at its file, if no data folder was named. {@code data} at its
     * beginning is the data folder itself.
     */
    Path written(String path, Path beside) {
        Path plain = Path.of(path);
        if (data == null || plain.isAbsolute()) {
            return beside;
        }
        return data.resolve(plain.startsWith(DATA) ? DATA.relativize(plain) : plain);
    }
}
