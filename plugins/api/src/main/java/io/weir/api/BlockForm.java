package io.weir.api;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form in which the nodes of one kind of network name and show blocks. A call names a block by a tag, or by an object with the
 * block's number or hash. Immutable.
 *
 * @param method the method that shows a block, with the block as its only parameter
 * @param latestTag the tag of the newest block
 * @param pendingTags the tags of the block in the making
 * @param finalTag the tag of the newest block that cannot be replaced; null if nodes have none
 * @param finalStatus the status of blocks that cannot be replaced; null if answers name none
 * @param members the names of the members that tell a block's place
 */
public record BlockForm(
        String method,
        String latestTag,
        Set<String> pendingTags,
        @Nullable String finalTag,
        @Nullable Status finalStatus,
        Members members) {

    /** Copies the set. */
    public BlockForm {
        pendingTags = Set.copyOf(pendingTags);
    }

    /**
     * A status in answers. Immutable.
     *
     * @param members the names of the members that hold it, each in answers of its own
     * @param value the status, such as {@code ACCEPTED_ON_L1}
     */
    public record Status(Set<String> members, String value) {

        /** Copies the set. */
        public Status {
            members = Set.copyOf(members);
        }
    }

    /**
     * Names of members. Immutable.
     *
     * @param number a block's number, a decimal number; in calls and in blocks
     * @param hash a block's hash, hex in a string; in calls and in blocks
     * @param parentHash the hash of a block's parent; in blocks
     * @param seconds a block's time in seconds since 1970, a decimal number; in blocks
     */
    public record Members(String number, String hash, String parentHash, String seconds) {}
}
