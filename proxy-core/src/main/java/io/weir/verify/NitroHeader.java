package io.weir.verify;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.HeaderField;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Comparison of the members that Arbitrum adds to blocks with the fields of the header that hold them. Stateless. */
final class NitroHeader {

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
