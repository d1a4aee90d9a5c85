package io.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteAccessTest {

    /** The number of a user without a name. */
    private static final String STRANGER = "64123";

    @TempDir
    Path folder;

    private record User(String name) implements UserPrincipal {
        @Override
        public String getName() {
            return name;
        }
    }

    @Test
    void aFileOfTheProcessesUserPasses() throws IOException {
        Path file = Files.createFile(folder.resolve("plugin.jar"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(WriteAccess.brokenRule(file)).isNull();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));
        assertThat(WriteAccess.brokenRule(file)).isEqualTo(WriteAccess.MODE_RULE);
    }

    @Test
    void aFileOfAnotherUserIsRejectedWithAnyMode() throws IOException {
        Path file = Files.createFile(folder.resolve("plugin.jar"));
        Assumptions.assumeTrue(isRoot(file), "only root may give a file away");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        Files.setOwner(
                file, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(STRANGER));
        assertThat(WriteAccess.brokenRule(file)).isEqualTo(WriteAccess.OWNER_RULE);
    }

    @Test
    void onlyRootAndTheProxysUserAreTrustedOwners() throws IOException {
        Path file = Files.createFile(folder.resolve("plugin.jar"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        assertThat(WriteAccess.brokenRule(attributes, Set.of(attributes.owner())))
                .isNull();
        assertThat(WriteAccess.brokenRule(attributes, Set.of(new User("weir"))))
                .isEqualTo(isRoot(file) ? null : WriteAccess.OWNER_RULE);
    }

    private static boolean isRoot(Path own) throws IOException {
        return Files.getOwner(own).getName().equals("root");
    }
}
