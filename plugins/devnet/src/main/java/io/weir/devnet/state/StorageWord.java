package io.weir.devnet.state;

import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;

/** A contract's value in one slot; never zero, since zero is an empty slot. Immutable. */
record StorageWord(BigInteger value) implements TrieValue {
    @Override
    public byte[] encoded() {
        return new RlpWriter().quantity(value).toByteArray();
    }
}
