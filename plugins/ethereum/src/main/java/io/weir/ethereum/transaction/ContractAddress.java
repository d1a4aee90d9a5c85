package io.weir.ethereum.transaction;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;

/** Addresses of contracts that are yet to be created. Thread-safe. */
public final class ContractAddress {
    private static final byte[] CREATE2 = {(byte) 0xff};

    private ContractAddress() {}

    /** Returns the address that a creating transaction or {@code CREATE} gives, from the creator and its nonce before. */
    public static Address create(Address creator, long nonce) {
        return Address.ofHash(
                Hash32.keccak(RlpWriter.list(fields -> fields.address(creator).unsigned(nonce))));
    }

    /** Returns the address that {@code CREATE2} gives, from the creator, a salt and the creation code (EIP-1014). */
    public static Address create2(Address creator, Hash32 salt, Bytes initCode) {
        return Address.ofHash(Hash32.keccak(
                CREATE2, creator.toArray(), salt.toArray(), initCode.keccak().toArray()));
    }
}
