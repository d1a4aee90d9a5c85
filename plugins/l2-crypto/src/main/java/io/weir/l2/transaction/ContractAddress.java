package io.weir.l2.transaction;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Pedersen;
import java.math.BigInteger;
import java.util.List;

/** The address that a contract gets, by who deploys what how. Thread-safe. */
public final class ContractAddress {
    private static final Felt PREFIX = ShortString.encode("STARKNET_CONTRACT_ADDRESS");
    private static final BigInteger BOUND = BigInteger.ONE.shiftLeft(251).subtract(BigInteger.valueOf(256));

    private ContractAddress() {}

    /** The address of an account, which deploys itself. */
    public static Felt ofAccount(Felt classHash, Felt salt, List<Felt> constructorCalldata) {
        return of(Felt.ZERO, classHash, salt, constructorCalldata);
    }

    /** The address of what a deployer deploys; the deployer 0 is nobody. */
    public static Felt of(Felt deployer, Felt classHash, Felt salt, List<Felt> constructorCalldata) {
        Felt hash =
                Pedersen.hashMany(List.of(PREFIX, deployer, salt, classHash, Pedersen.hashMany(constructorCalldata)));
        return Felt.of(hash.toBigInteger().mod(BOUND));
    }
}
