package io.weir.verify;

import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.HeaderField;
import io.weir.verify.family.ChainFamily;
import io.weir.verify.family.Deviation;

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
}
