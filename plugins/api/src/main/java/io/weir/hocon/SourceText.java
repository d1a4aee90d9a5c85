package io.weir.hocon;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The reader of one file's text, bounded and strictly UTF-8. */
final class SourceText {

    private static final int MAX_BYTES = 4 << 20;

    private SourceText() {}

    /** Signals invalid UTF-8 on a line. Immutable. */
    static final class NotUtf8Exception extends IOException {

        private static final long serialVersionUID = 1L;

        private final int line;

        NotUtf8Exception(int line) {
            this.line = line;
        }

        int line() {
            return line;
        }
    }

    /** Signals a file that is too large for a configuration. Immutable. */
    static final class TooLargeException extends IOException {

        private static final long serialVersionUID = 1L;
    }

    static String read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new TooLargeException();
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new NotUtf8Exception(
                    1 + (int) text.chars().filter(c -> c == '\n').count());
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** Returns the reason why a file could not be read, for the operator. */
    static String reason(Path file, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "not found";
        }
        if (e instanceof TooLargeException) {
            return "larger than " + (MAX_BYTES >> 20) + " MiB";
        }
        if (Files.isDirectory(file)) {
            return "is a folder";
        }
        return e instanceof AccessDeniedException ? "not permitted" : "cannot be read";
    }
}
