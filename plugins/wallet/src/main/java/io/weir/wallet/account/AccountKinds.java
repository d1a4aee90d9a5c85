package io.weir.wallet.account;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kinds of account, and which of them new accounts of a chain are. Immutable.
 *
 * @param kinds by name, in the order in which they are tried
 * @param usual the name of the kind of new accounts
 * @param ofChain the same for single chains, where it is another
 */
public record AccountKinds(Map<String, AccountKind> kinds, String usual, Map<Felt, String> ofChain) {
    /** The kinds that the network knows, by name. The settings may say otherwise of single members. */
    public static final Map<String, AccountKind> KNOWN = Stream.of(
                    new AccountKind(
                            "usual",
                            Felt.parseHex("0x29927c8af6bccf3f6fda035981e765a7bdbf18a2dc0d630494f8758aa908e2b"),
                            List.of(AccountKind.PUBLIC_KEY, "0"),
                            List.of("get_owner"),
                            "getVersion",
                            List.of(AccountKind.CLASS_HASH, "1", "0"),
                            false),
                    // The class that a development node predeclares.
                    new AccountKind(
                            "openzeppelin",
                            Felt.parseHex("0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564"),
                            List.of(AccountKind.PUBLIC_KEY),
                            List.of("get_public_key", "getPublicKey"),
                            "",
                            List.of(AccountKind.CLASS_HASH),
                            false),
                    // The predecessor of the usual kind, behind its proxy, for recovery and upgrades.
                    new AccountKind(
                            "legacy",
                            Felt.parseHex("0x25ec026985a3bf9d0cc1fe17326b245dfdc3ff89b8fde106542a3ea56c5a918"),
                            List.of(
                                    "0x33434ad846cdd5f23eb73ff09fe6fddd568284a0fb7d1be20ee482f044dabe2",
                                    "0x79dc0da7c54b95f10aa182ad0a46400db63156920adb65eca2654c0945a463",
                                    "2",
                                    AccountKind.PUBLIC_KEY,
                                    "0"),
                            List.of("getSigner", "get_signer"),
                            "getVersion",
                            List.of(),
                            true))
            .collect(Collectors.toUnmodifiableMap(AccountKind::name, Function.identity()));

    public AccountKinds {
        kinds = Collections.unmodifiableMap(new LinkedHashMap<>(kinds));
        ofChain = Map.copyOf(ofChain);
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

    /**
     * Returns the kind that an account is on the chain, which an upgrade may have changed; nothing where it is not deployed. A class of
     * no kind counts as that of new accounts. Blocks.
     */
    public Optional<AccountKind> now(L2Client client, WalletAccount account) {
        Felt chainId = account.network().chainId();
        return client.classHashAt(account.network(), account.address())
                .map(classHash -> all(chainId).stream()
                        .filter(kind -> kind.classHash().equals(classHash))
                        .findFirst()
                        .orElse(ofChain(chainId)));
    }

    /** The kind of this name, or nothing where the settings do not have it any more. */
    public Optional<AccountKind> named(String name) {
        return Optional.ofNullable(kinds.get(name));
    }
}
