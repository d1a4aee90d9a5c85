package io.weir.wallet.account;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
import io.weir.api.setting.TextForm;
import io.weir.api.setting.TextRule;
import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.wallet.chain.FeltPattern;
import io.weir.wallet.state.NamedCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

        @About("The hash of its class.") @Setting(form = ClassHash.class)
        Felt classHash,

        @About("The constructor's data, with `public-key` in the place of the key.")
        @Setting(
                value = "[public-key]",
                pattern = FeltPattern.NUMBER + "|" + PUBLIC_KEY,
                rule = FeltPattern.NUMBER_RULE + ", or " + PUBLIC_KEY)
        List<String> constructor,

        @About("The functions that return the public key.")
        @Setting(value = "[get_public_key]", pattern = "\\w+", rule = "the name of a function")
        List<String> ownerGetters,

        @About("The function that returns the version; an empty text for none.")
        @Setting(value = "\"\"", pattern = "\\w*", rule = "the name of a function")
        String versionGetter,

        @About(
                "The data of the function `upgrade` that turns another account into this kind, with `class-hash` in the place of the class; "
                        + "an empty list for none.")
        @Setting(
                value = "[]",
                pattern = FeltPattern.NUMBER + "|" + CLASS_HASH,
                rule = FeltPattern.NUMBER_RULE + ", or " + CLASS_HASH)
        List<String> upgrade,

        @About("Whether calls have the layout of Cairo 0.") @Setting("false")
        boolean cairo0) {
    public static final String PUBLIC_KEY = "public-key";
    public static final String CLASS_HASH = "class-hash";

    /** The hash of a class. */
    static final class ClassHash extends TextForm<Felt> {

        ClassHash() {
            super(new TextRule(ClassHash::isHash, "the hash of its class: " + FeltPattern.NUMBER_RULE), true, false);
        }

        private static boolean isHash(String text) {
            return text.matches(FeltPattern.NUMBER) && !Felt.parse(text).isZero();
        }

        @Override
        protected Felt of(@Nullable String text) {
            return text == null ? Felt.ZERO : Felt.parse(text);
        }
    }

    public AccountKind {
        constructor = List.copyOf(constructor);
        ownerGetters = List.copyOf(ownerGetters);
        upgrade = List.copyOf(upgrade);
    }

    /** Returns the settings that make this kind. */
    ConfigObject settings() {
        return ConfigFactory.parseMap(Map.of(
                        "class-hash", classHash.toHex(),
                        "constructor", constructor,
                        "owner-getters", ownerGetters,
                        "version-getter", versionGetter,
                        "upgrade", upgrade,
                        "cairo0", cairo0))
                .root();
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
        return upgrade.isEmpty()
                ? Optional.empty()
                : Optional.of(new NamedCall(account, "upgrade", filled(upgrade, CLASS_HASH, classHash)));
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
