package io.weir.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Who may write to files whose content the proxy trusts. Where the system knows no owners and groups, nobody else may. */
public final class WriteAccess {

    /** What is expected of such a file or folder, for people. */
    public static final String RULE = "one that no other user may write to; chmod go-w";

    private static final String ROOT = "root";

    private WriteAccess() {}

    /**
     * Whether other users than the owner may write to a file or a folder that is there. A group counts as other users, unless it
     * has the owner's name: many systems give each user such a group, in which there is nobody else.
     *
     * @throws IOException when the permissions cannot be read
     */
    public static boolean isForOthers(Path path) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view == null) {
            return false;
        }
        PosixFileAttributes attributes = view.readAttributes();
        Set<PosixFilePermission> permissions = attributes.permissions();
        return permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || (permissions.contains(PosixFilePermission.GROUP_WRITE) && !isPrivateGroup(attributes));
    }

    private static boolean isPrivateGroup(PosixFileAttributes attributes) {
        String owner = attributes.owner().getName();
        return !owner.equals(ROOT) && owner.equals(attributes.group().getName());
    }
}
