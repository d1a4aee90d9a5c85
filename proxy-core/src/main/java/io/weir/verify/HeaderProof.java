package io.weir.verify;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.HeaderField;
import io.weir.verify.family.ChainFamily;
import io.weir.verify.family.Deviation;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Proof of headers of any fork: recomputes the hash from the fields. Stateless. */
final class HeaderProof {

    private HeaderProof() {}

    /**
     * Returns the header, whose hash is the one that the object names.
     *
     * @throws UnknownPartException if the hash differs or a field is missing, and an unknown member may be the cause
     */
    static BlockHeader prove(ObjectMembers members, ChainFamily family)
            throws DifferenceException, UnknownPartException {
        boolean aura = family.has(Deviation.AURA_SEALS) && AuraSeal.isIn(members);
        try {
            BlockHeader header = header(members, aura);
            members.require("hash", header.hash());
            if (family.has(Deviation.NITRO_HEADERS)) {
                NitroHeader.require(members, header);
            }
            return header;
        } catch (DifferenceException e) {
            // A recorded block has shown the rule of AuRa's headers.
            boolean untested = family.has(Deviation.HEADERS_UNTESTED) && !aura;
            throw UnknownPartException.insteadOf(e, members.unknown(ObjectForm.BLOCK, family), untested);
        }
    }

    private static BlockHeader header(ObjectMembers members, boolean aura) throws DifferenceException {
        BlockHeaderBuilder builder = BlockHeader.builder();
        if (aura) {
            AuraSeal.read(members, builder);
        }
        for (HeaderField field : HeaderField.values()) {
            String name = field.jsonName();
            boolean sealed = aura && (field == HeaderField.MIX_HASH || field == HeaderField.NONCE);
            if (members.has(name) && !sealed) {
                String text = members.text(name);
                try {
                    builder.hex(field, field == HeaderField.MINER ? text : ObjectMembers.lowerCase(text));
                } catch (IllegalArgumentException e) {
                    throw members.difference(name, String.valueOf(e.getMessage()));
                }
            }
        }
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw members.difference("hash", "of a header: " + e.getMessage());
        }
    }

    /** Reader of the seal of AuRa's headers, which stands in place of {@code mixHash} and {@code nonce}. Stateless. */
    private static final class AuraSeal {

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

    /** Comparison of the members that Arbitrum adds to blocks with the fields of the header that hold them. Stateless. */
    private static final class NitroHeader {

        private NitroHeader() {}

        /** Requires the members that are present. Headers from before Nitro do not hold them. */
        static void require(ObjectMembers members, BlockHeader header) throws DifferenceException {
            Bytes mixHash = header.get(HeaderField.MIX_HASH);
            if (mixHash == null || !isNitro(header)) {
                return;
            }
            ByteBuffer numbers = ByteBuffer.wrap(mixHash.toArray());
            if (members.given("sendRoot")) {
                members.require("sendRoot", new Hash32(header.extraData()));
            }
            if (members.given("sendCount")) {
                members.requireUnsigned("sendCount", numbers.getLong(0));
            }
            if (members.given("l1BlockNumber")) {
                members.requireUnsigned("l1BlockNumber", numbers.getLong(Long.BYTES));
            }
        }

        private static boolean isNitro(BlockHeader header) {
            BigInteger baseFee = header.baseFeePerGas();
            return baseFee != null
                    && baseFee.signum() > 0
                    && header.extraData().size() == Hash32.SIZE_BYTES
                    && header.difficulty().equals(BigInteger.ONE);
        }
    }
}
