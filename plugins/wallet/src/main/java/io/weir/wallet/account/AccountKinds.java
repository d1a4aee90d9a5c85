package io.weir.wallet.account;

import io.weir.l2.Felt;
import io.weir.wallet.name.SimilarName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The kinds of account, and which of them new accounts of a chain are. Immutable. */
public final class AccountKinds {
    private final Map<String, AccountKind> kinds = new LinkedHashMap<>();
    private final String usual;
    private final Map<Felt, String> ofChain;

    /**
     * Takes kinds.
     *
     * @param usual the name of the kind of new accounts
     * @param ofChain the same for single chains, where it is another
     * @throws IllegalArgumentException when one of the names is of no kind
     */
    public AccountKinds(Collection<AccountKind> all, String usual, Map<Felt, String> ofChain) {
        all.forEach(kind -> kinds.put(kind.name(), kind));
        this.usual = usual;
        this.ofChain = Map.copyOf(ofChain);
        checkKnown("account.kind", usual);
        ofChain.values().forEach(name -> checkKnown("account.kind-of-chain", name));
    }

    private void checkKnown(String setting, String name) {
        if (!kinds.containsKey(name)) {
            throw new IllegalArgumentException(setting + ": " + name + " (expected: one of " + kinds.keySet()
                    + SimilarName.hint(name, kinds.keySet()) + ")");
        }
    }

    /** The kind of new accounts on a chain. */
    public AccountKind ofChain(Felt chainId) {
        return Objects.requireNonNull(kinds.get(ofChain.getOrDefault(chainId, usual)));
    }

    /** All kinds, that of the chain's new accounts first. */
    public Collection<AccountKind> all(Felt chainId) {
        Map<String, AccountKind> ordered = new LinkedHashMap<>();
        ordered.put(ofChain(chainId).name(), ofChain(chainId));
        ordered.putAll(kinds);
        return ordered.values();
    }

    /** The kind of this name, or nothing where the settings do not have it any more. */
    public Optional<AccountKind> named(String name) {
        return Optional.ofNullable(kinds.get(name));
    }
}
