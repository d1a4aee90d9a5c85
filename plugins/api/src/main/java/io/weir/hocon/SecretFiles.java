package io.weir.hocon;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files whose content substitutions such as <code>${"file:/run/secrets/token"}</code> stand for, each read once. Line ends at the
 * end of a file do not belong to its content. Confined to one thread.
 */
final class SecretFiles {

    private static final String SCHEME = "file:";
    private static final int MAX_CHARS = 65_536;

    private final Sources sources;
    private final Map<Path, Content> read = new HashMap<>();

    SecretFiles(Sources sources) {
        this.sources = sources;
    }

    /**
     * Content of a file. Immutable.
     *
     * @param text null if there is none
     * @param missing whether there is no such file
     * @param reason why there is no text, for the operator; empty if there is one
     */
    record Content(@Nullable String text, boolean missing, String reason) {

        private static Content none(boolean missing, String reason) {
            return new Content(null, missing, reason);
        }

        @Override
        public String toString() {
            return "Content[" + reason + "]";
        }
    }

    /** Returns whether a substitution names a file. */
    static boolean isFile(String name) {
        return name.startsWith(SCHEME);
    }

    /**
     * Returns the content of the file that a substitution names.
     *
     * @param from the file of the substitution, at whose folder relative paths begin
     */
    Content content(String name, String from) {
        try {
            return read.computeIfAbsent(
                    Path.of(from)
                            .resolveSibling(name.substring(SCHEME.length()))
                            .normalize(),
                    this::read);
        } catch (InvalidPathException e) {
            return Content.none(false, "is not a file name");
        }
    }

    private Content read(Path file) {
        sources.add(file);
        try {
            String text = SourceText.read(file);
            int end = text.length();
            while (end > 0 && "\r\n".indexOf(text.charAt(end - 1)) >= 0) {
                end--;
            }
            if (end == 0 || end > MAX_CHARS) {
                return Content.none(false, end == 0 ? "is empty" : "larger than " + MAX_CHARS + " characters");
            }
            return new Content(text.substring(0, end), false, "");
        } catch (SourceText.NotUtf8Exception e) {
            return Content.none(false, "not UTF-8");
        } catch (IOException e) {
            return Content.none(e instanceof NoSuchFileException, SourceText.reason(file, e));
        }
    }
}
