package io.weir.config;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Write permissions of files whose content the proxy trusts. Trusted users are root, the user of the process, and the
 * owner of the program, who can replace that as well. On file systems without POSIX permissions every file passes.
 * Thread-safe.
 */
public final class WriteAccess {

    /** The rule, for error messages, that a writable file breaks. */
    public static final String MODE_RULE = "one that no other user may write to; chmod go-w";

    /** The rule, for error messages, that a file of another user breaks. */
    public static final String OWNER_RULE = "one that root, the proxy's user or the owner of its program owns; chown";

    /** The names of root. Without an entry in the user database, Java shows the number. */
    private static final Set<String> ROOT = Set.of("root", "0");

    private static final Path OWN_PROCESS = Path.of("/proc/self");

    private WriteAccess() {}

    /**
     * Returns the rule that a file or folder breaks, or null if only trusted users may change it. The owner counts as
     * well as the mode, because an owner may change the mode. A group counts as other users, unless it has its owner's
     * name: many systems give each user such a group without other members.
     *
     * @throws IOException if the permissions cannot be read
     */
    public static @Nullable String brokenRule(Path path) throws IOException {
        return brokenRule(path, trustedUsers());
    }

    /**
     * Checks one of many files, for which the trusted users are found once.
     *
     * @param trusted from {@link #trustedUsers}
     */
    public static @Nullable String brokenRule(Path path, Set<UserPrincipal> trusted) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        return view == null ? null : brokenRule(view.readAttributes(), trusted);
    }

    /**
     * Checks attributes that were read.
     *
     * @param trusted users in addition to root
     */
    static @Nullable String brokenRule(PosixFileAttributes attributes, Set<UserPrincipal> trusted) {
        UserPrincipal owner = attributes.owner();
        if (!ROOT.contains(owner.getName()) && !trusted.contains(owner)) {
            return OWNER_RULE;
        }
        Set<PosixFilePermission> permissions = attributes.permissions();
        boolean writable = permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || (permissions.contains(PosixFilePermission.GROUP_WRITE) && !isPrivateGroup(attributes));
        return writable ? MODE_RULE : null;
    }

    private static boolean isPrivateGroup(PosixFileAttributes attributes) {
        String owner = attributes.owner().getName();
        return !ROOT.contains(owner) && owner.equals(attributes.group().getName());
    }

    /**
     * Returns the user of the process and the owner of the program. Linux knows the user even if it has no name, as in
     * many containers. Other systems look up its name. A program of another user is common if root starts it from a
     * checkout.
     *
     * @throws IOException if an owner cannot be read
     */
    public static Set<UserPrincipal> trustedUsers() throws IOException {
        Set<UserPrincipal> users = new HashSet<>();
        if (Files.exists(OWN_PROCESS)) {
            users.add(Files.getOwner(OWN_PROCESS));
        }
        try {
            users.add(Files.getOwner(Path.of(WriteAccess.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI())));
            users.add(OWN_PROCESS
                    .getFileSystem()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName(System.getProperty("user.name")));
        } catch (UserPrincipalNotFoundException | URISyntaxException e) {
            // Either a user without a name, whom the process's own entry has shown, or a program that is not a file.
        }
        return users;
    }
}
