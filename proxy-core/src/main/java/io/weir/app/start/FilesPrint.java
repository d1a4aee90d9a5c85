package io.weir.app.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A digest of the contents of files. Times of files are not enough: orchestrators swap links, and editors write in steps. */
record FilesPrint(String sha256) {

    /** More of a file cannot belong to a configuration. */
    private static final int MAX_BYTES = 4 << 20;

    /** Reads the files. One that cannot be read counts as such. */
    static FilesPrint of(List<Path> files) {
        MessageDigest all = digest();
        for (Path file : files) {
            all.update(file.toString().getBytes(StandardCharsets.UTF_8));
            MessageDigest one = digest();
            try (InputStream in = Files.newInputStream(file)) {
                one.update(in.readNBytes(MAX_BYTES));
                all.update(one.digest());
            } catch (IOException e) {
                all.update((byte) 0);
            }
        }
        return new FilesPrint(HexFormat.of().formatHex(all.digest()));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JVM)", e);
        }
    }
}
