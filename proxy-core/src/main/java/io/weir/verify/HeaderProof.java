package io.weir.verify;

import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.HeaderField;

/** Proof of headers of any fork: recomputes the hash from the fields. Stateless. */
final class HeaderProof {

    private HeaderProof() {}

    /**
     * Returns the header, whose hash is the one that the object names.
     *
     * @throws UnknownPartException if the hash differs or a field is missing, and an unknown member may be the cause
     */
    static BlockHeader prove(ObjectMembers members) throws DifferenceException, UnknownPartException {
        try {
            BlockHeader header = header(members);
            members.require("hash", header.hash());
            return header;
        } catch (DifferenceException e) {
            String unknown = members.unknown(ObjectForm.BLOCK);
            if (unknown == null) {
                throw e;
            }
            throw new UnknownPartException(e.getMessage() + ", with a member that is not known: " + unknown);
        }
    }

    private static BlockHeader header(ObjectMembers members) throws DifferenceException {
        BlockHeaderBuilder builder = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            String name = field.jsonName();
            if (members.has(name)) {
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
