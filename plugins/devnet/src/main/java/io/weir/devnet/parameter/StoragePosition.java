package io.weir.devnet.parameter;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import java.math.BigInteger;

/**
 * A position in an account's storage: up to 64 digits, which need not be even in number nor have a prefix. Immutable.
 *
 * @param text how a proof names it: in 32 bytes if it was given so, else as a number
 */
public record StoragePosition(Hash32 slot, String text) {

    static StoragePosition read(Argument argument) {
        if (!argument.json().isString()) {
            throw argument.mismatch(argument.kind(), "string");
        }
        String given = argument.json().stringValue();
        String digits = given.startsWith("0x") || given.startsWith("0X") ? given.substring(2) : given;
        if (digits.length() > 2 * Hash32.SIZE_BYTES) {
            throw Failures.invalidParams("unable to decode storage key: hex string too long, want at most 32 bytes");
        }
        if (!digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128)) {
            throw Failures.invalidParams("unable to decode storage key: hex string invalid");
        }
        Hash32 slot = Hash32.fromHex("0x" + "0".repeat(2 * Hash32.SIZE_BYTES - digits.length()) + digits);
        boolean whole = (digits.length() + 1) / 2 == Hash32.SIZE_BYTES;
        return new StoragePosition(slot, whole ? slot.hex() : Quantity.encode(new BigInteger(1, slot.toArray())));
    }
}
