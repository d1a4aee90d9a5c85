package io.weir.api;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form in which the nodes of one kind of network name and show blocks. A call names a block by a tag, or by an object with the
 * block's number or hash, as the only parameter of {@code method}. With {@code hashMethod} calls are like Ethereum's: a tag or a number
 * for {@code method}, a hash for the other one, and then {@code false}. Immutable.
 *
 * @param method the method that shows a block
 * @param latestTag the tag of the newest block
 * @param pendingTags the tags of the block in the making
 * @param finalTag the tag of the newest block that cannot be replaced; null if nodes have none
 * @param finalStatus the status of blocks that cannot be replaced; null if answers name none
 * @param members the names of the members that tell a block's place
 * @param hashMethod the method that shows the block with a hash. Numbers then are hex in strings, and hashes have 32 bytes. Null if
 *     {@code method} takes objects; numbers then are decimal
 */
public record BlockForm(
        String method,
        String latestTag,
        Set<String> pendingTags,
        @Nullable String finalTag,
        @Nullable Status finalStatus,
        Members members,
        @Nullable String hashMethod) {

    /** The form of Ethereum. */
    public static final BlockForm ETHEREUM = new BlockForm(
            "eth_getBlockByNumber",
            "latest",
            Set.of("pending"),
            "finalized",
            null,
            new Members("number", "hash", "parentHash", "timestamp"),
            "eth_getBlockByHash");

    /** Creates the form of nodes whose calls name blocks in objects. */
    public BlockForm(
            String method,
            String latestTag,
            Set<String> pendingTags,
            @Nullable String finalTag,
            @Nullable Status finalStatus,
            Members members) {
        this(method, latestTag, pendingTags, finalTag, finalStatus, members, null);
    }

    /** Copies the set. */
    public BlockForm {
        pendingTags = Set.copyOf(pendingTags);
    }

    /** Returns the same form whose blocks have other names of members. */
    public BlockForm withMembers(Members others) {
        return new BlockForm(method, latestTag, pendingTags, finalTag, finalStatus, others, hashMethod);
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
     * @param number a block's number; in blocks, and in calls with objects
     * @param hash a block's hash, hex in a string; in blocks, and in calls with objects
     * @param parentHash the hash of a block's parent; in blocks
     * @param seconds a block's time in seconds since 1970; in blocks
     */
    public record Members(String number, String hash, String parentHash, String seconds) {}
}
