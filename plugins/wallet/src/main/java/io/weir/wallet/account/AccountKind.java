package io.weir.wallet.account;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.wallet.state.NamedCall;
import java.util.List;
import java.util.Optional;

/**
 * A contract that accounts are made of. Immutable.
 *
 * @param constructor the constructor's data, {@link #PUBLIC_KEY} in the place of the key
 * @param ownerGetters functions that tell the public key, tried in this order
 * @param versionGetter a function that tells the contract's version as text; empty where there is none
 * @param upgrade the data of the function {@code upgrade} that turns another account into this kind, {@link #CLASS_HASH} in the
 *     place of the class; empty where accounts are not turned into this kind
 * @param cairo0 whether the calls of a transaction are laid out as accounts of Cairo 0 want it
 */
public record AccountKind(
        String name,
        Felt classHash,
        List<String> constructor,
        List<String> ownerGetters,
        String versionGetter,
        List<String> upgrade,
        boolean cairo0) {
    public static final String PUBLIC_KEY = "public-key";
    public static final String CLASS_HASH = "class-hash";

    public AccountKind {
        constructor = List.copyOf(constructor);
        ownerGetters = List.copyOf(ownerGetters);
        upgrade = List.copyOf(upgrade);
    }

    /** The constructor's data for a key. */
    public List<Felt> constructorCalldata(Felt publicKey) {
        return filled(constructor, PUBLIC_KEY, publicKey);
    }

    /** The address of a key's account. */
    public Felt address(Felt publicKey) {
        return ContractAddress.ofAccount(classHash, publicKey, constructorCalldata(publicKey));
    }

    /** The call by which an account becomes one of this kind, or nothing where none does. */
    public Optional<NamedCall> upgradeOf(Felt account) {
        return upgrade.isEmpty() ? Optional.empty() : Optional.of(new NamedCall(account, "upgrade", upgradeCalldata()));
    }

    /** The data of that call; empty where accounts are not turned into this kind. */
    public List<Felt> upgradeCalldata() {
        return filled(upgrade, CLASS_HASH, classHash);
    }

    /** Calls as the account takes them. */
    public List<Felt> layOut(List<ContractCall> calls) {
        return cairo0 ? ExecuteCalldata.cairo0(calls) : ExecuteCalldata.cairo1(calls);
    }

    private static List<Felt> filled(List<String> layout, String placeholder, Felt value) {
        return layout.stream()
                .map(element -> element.equals(placeholder) ? value : Felt.parse(element))
                .toList();
    }
}
