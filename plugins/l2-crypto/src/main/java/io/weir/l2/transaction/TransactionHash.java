package io.weir.l2.transaction;

import io.weir.l2.Felt;
import io.weir.l2.hash.Poseidon;
import java.util.ArrayList;
import java.util.List;

/** The hash of a transaction of version 3: its name, and what its account signs. Thread-safe. */
public final class TransactionHash {
    private TransactionHash() {}

    /** The hash of calls that an account makes; {@link ExecuteCalldata} lays them out. */
    public static Felt ofInvoke(
            TransactionFields fields, Felt sender, List<Felt> accountDeploymentData, List<Felt> calldata) {
        List<Felt> hashed = new ArrayList<>(fields.hashed("invoke", sender));
        hashed.add(Poseidon.hashMany(accountDeploymentData));
        hashed.add(Poseidon.hashMany(calldata));
        return Poseidon.hashMany(hashed);
    }

    /** The hash of an account's own deployment, at the address that follows from its other fields. */
    public static Felt ofDeployAccount(
            TransactionFields fields, Felt classHash, Felt salt, List<Felt> constructorCalldata) {
        Felt address = ContractAddress.ofAccount(classHash, salt, constructorCalldata);
        return ofDeployAccount(fields, address, classHash, salt, constructorCalldata);
    }

    /** The same where the address is known already, which takes the most time of all. */
    public static Felt ofDeployAccount(
            TransactionFields fields, Felt address, Felt classHash, Felt salt, List<Felt> constructorCalldata) {
        List<Felt> hashed = new ArrayList<>(fields.hashed("deploy_account", address));
        hashed.add(Poseidon.hashMany(constructorCalldata));
        hashed.add(classHash);
        hashed.add(salt);
        return Poseidon.hashMany(hashed);
    }
}
