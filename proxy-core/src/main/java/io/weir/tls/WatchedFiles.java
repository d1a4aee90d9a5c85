package io.weir.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object made from PEM files, and made anew when their content changes. While new content cannot be used, the object stays.
 * Thread-safe.
 *
 * @param <T> the type of the object
 */
final class WatchedFiles<T> {

    private final String setting;
    private final List<Path> paths;
    private final Form<T> form;
    private List<PemFile> used;
    private volatile T current;
    private volatile @Nullable String problem;

    /** Constructor of the object. */
    @FunctionalInterface
    interface Form<T> {
        T of(List<PemFile> files) throws TlsFileException;
    }

    /**
     * @param setting the path of their settings
     * @throws TlsFileException if they cannot be used
     */
    WatchedFiles(String setting, List<Path> paths, Form<T> form) throws TlsFileException {
        this.setting = setting;
        this.paths = paths;
        this.form = form;
        this.used = read();
        this.current = form.of(used);
    }

    String setting() {
        return setting;
    }

    T current() {
        return current;
    }

    /** Returns why the present content is not in use, or null. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Looks at the files again, and adds what has changed to one of the lists. */
    synchronized void look(List<String> renewed, List<String> problems) {
        try {
            List<PemFile> read = read();
            if (!isUsed(read)) {
                current = form.of(read);
                used = read;
                renewed.add(setting);
            }
            problem = null;
        } catch (TlsFileException e) {
            String line = setting + ": " + e.getMessage();
            if (!line.equals(problem)) {
                problem = line;
                problems.add(line);
            }
        }
    }

    private List<PemFile> read() throws TlsFileException {
        List<PemFile> files = new ArrayList<>();
        for (Path path : paths) {
            files.add(PemFile.read(path));
        }
        return files;
    }

    private boolean isUsed(List<PemFile> read) {
        for (int i = 0; i < read.size(); i++) {
            if (!Arrays.equals(read.get(i).content(), used.get(i).content())) {
                return false;
            }
        }
        return true;
    }
}
