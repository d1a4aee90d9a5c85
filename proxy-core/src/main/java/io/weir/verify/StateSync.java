package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.verify.ChainFamily.Deviation;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/**
 * State sync of Polygon, as nodes show it at the end of blocks from before PIP-74. Its transaction and its receipt are in no root.
 * Its hash names its block. Stateless.
 */
final class StateSync {

    private static final byte[] PREFIX = "matic-bor-receipt-".getBytes(StandardCharsets.US_ASCII);

    private StateSync() {}

    /**
     * Returns whether the last object of a list is about the state sync of its block.
     *
     * @param hash the member that holds the transaction's hash
     */
    static boolean isLast(JsonNode list, String hash, BlockHeader header, ChainFamily family) {
        return family.has(Deviation.STATE_SYNC)
                && !list.isEmpty()
                && hash(header.number(), header.hash())
                        .hex()
                        .equals(list.get(list.size() - 1).path(hash).asString(""));
    }

    /** Returns whether a hash is the one of the state sync of a block. */
    static boolean isHash(Hash32 hash, BlockHeader header, ChainFamily family) {
        return family.has(Deviation.STATE_SYNC) && hash.equals(hash(header.number(), header.hash()));
    }

    /** Returns whether an object shows a state sync, by the hash that it names and the block that it names. */
    static boolean isTransaction(ObjectMembers members, ChainFamily family) throws UnprovenException {
        return family.has(Deviation.STATE_SYNC)
                && members.has("blockHash")
                && hash(members.unsigned("blockNumber"), members.hash("blockHash"))
                        .equals(members.hash("hash"));
    }

    /** Requires the transaction of a state sync to have no content. */
    static void requireEmpty(ObjectMembers members, BlockHeader header, int index) throws UnprovenException {
        members.requirePlace(header, index);
        try {
            members.require("from", Address.ZERO);
            members.require("to", Address.ZERO);
            for (String name : new String[] {"gas", "gasPrice", "nonce", "value"}) {
                members.require(name, BigInteger.ZERO);
            }
            if (!members.bytes("input").isEmpty()) {
                throw members.difference("input", "0x");
            }
        } catch (UnprovenException e) {
            throw e.orUnknown(null, true);
        }
    }

    private static Hash32 hash(long number, Hash32 block) {
        byte[] height = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        return Hash32.keccak(PREFIX, height, block.toArray());
    }
}
