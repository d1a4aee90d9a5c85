package io.weir.verify;

import org.jspecify.annotations.Nullable;

/**
 * Field of a transaction's encoding, and the member of JSON that shows it. Immutable.
 *
 * @param name the member
 * @param other a member to read if that one is missing; null if there is none
 */
public record LayoutField(String name, @Nullable String other, Kind kind) {

    /** Kind of a field's value. */
    public enum Kind {
        /** 32 bytes. */
        HASH,
        /** 20 bytes. */
        ADDRESS,
        /** 20 bytes; an empty string if the member is null or missing. */
        OPTIONAL_ADDRESS,
        /** A number of up to 32 bytes. */
        QUANTITY,
        /** A number of up to 32 bytes; 0 if the member is null or missing. */
        OPTIONAL_QUANTITY,
        /** A number of up to 8 bytes. */
        UNSIGNED,
        /** A boolean; false if the member is missing. */
        FLAG,
        /** Any bytes. */
        BYTES,
        /** A list of addresses, each with storage keys. */
        ACCESS_LIST;

        /** Returns whether the member may be missing. */
        public boolean isOptional() {
            return this == OPTIONAL_ADDRESS || this == OPTIONAL_QUANTITY || this == FLAG;
        }
    }

    static LayoutField of(String name, Kind kind) {
        return new LayoutField(name, null, kind);
    }
}
