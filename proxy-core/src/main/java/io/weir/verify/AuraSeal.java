package io.weir.verify;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeaderBuilder;
import java.math.BigInteger;

/** Reader of the seal of AuRa's headers, which stands in place of {@code mixHash} and {@code nonce}. Stateless. */
final class AuraSeal {

    private static final int MAX_DIGITS = 20;

    private AuraSeal() {}

    /** Returns whether a block has such a seal. */
    static boolean isIn(ObjectMembers members) {
        return members.has("step") && members.has("signature") && !members.has("mixHash");
    }

    /** Reads the seal. Nodes write the step in decimal, and the signature without a prefix. */
    static void read(ObjectMembers members, BlockHeaderBuilder builder) throws DifferenceException {
        String step = members.text("step");
        String signature = members.text("signature");
        if (step.isEmpty()
                || step.length() > MAX_DIGITS
                || !step.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            throw members.difference("step", "a whole number");
        }
        try {
            String hex = signature.startsWith("0x") ? signature : "0x" + signature;
            builder.auraSeal(new BigInteger(step), Bytes.fromHex(ObjectMembers.lowerCase(hex)));
        } catch (IllegalArgumentException e) {
            throw members.difference("signature", String.valueOf(e.getMessage()));
        }
    }
}
