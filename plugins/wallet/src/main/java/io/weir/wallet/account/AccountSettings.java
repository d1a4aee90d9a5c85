package io.weir.wallet.account;

import io.weir.api.setting.About;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Form;
import io.weir.api.setting.Setting;
import io.weir.l2.Felt;
import io.weir.wallet.chain.FeltPattern;
import io.weir.wallet.chain.L2Networks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of the contracts that accounts are made of. Immutable.
 *
 * @param kind of new accounts
 * @param kindOfChain the same for single chains
 * @param kinds by name: the known ones and those of the settings
 */
public record AccountSettings(
        @About("Kind of new accounts, one of `account.kinds`.")
        @Setting(value = "usual", pattern = "[!-~]+", rule = "the name of a kind")
        String kind,

        @About("The same for single chains: `{ SN_SEPOLIA = openzeppelin }`.")
        @Setting(value = "{}", pattern = "[!-~]+", rule = "the name of a kind")
        Map<String, String> kindOfChain,

        @About(
                "Kinds: `usual`, `legacy` (the predecessor of `usual`), `openzeppelin` (the class of a development node), and further ones "
                        + "under names of your own. A member that is left out is that of the known kind.")
        @Setting(value = "{}", form = Kinds.class)
        Map<String, AccountKind> kinds)
        implements Checked {

    /** Kinds of accounts, by name. */
    static final class Kinds implements Form<Map<String, AccountKind>> {

        @Override
        public Map<String, AccountKind> read(Binder binder, Block block, String name) {
            Map<String, AccountKind> kinds = new TreeMap<>(AccountKinds.KNOWN);
            block.block(name).entries(null).forEach((kind, entry) -> {
                AccountKind known = AccountKinds.KNOWN.get(kind);
                Block whole = entry.withDefaults(known == null ? Binder.defaults(AccountKind.class) : known.settings());
                kinds.put(kind, binder.read(AccountKind.class, whole, kind));
            });
            return kinds;
        }

        @Override
        public String rule() {
            return "blocks, by name";
        }
    }

    @Override
    public void check(Block block) {
        List<String> names = List.copyOf(kinds.keySet());
        block.look("kind").wordOrNull(names);
        Block ofChain = block.lookInto("kind-of-chain");
        kindOfChain.keySet().forEach(chain -> {
            if (chain.matches(FeltPattern.CHAIN_ID)) {
                ofChain.look(chain).wordOrNull(names);
            } else {
                ofChain.look(chain).wrongName(FeltPattern.CHAIN_ID_RULE);
            }
        });
    }

    /** Returns the kinds, and which of them new accounts of a chain are. */
    public AccountKinds all() {
        Map<Felt, String> ofChain = new HashMap<>();
        kindOfChain.forEach((chain, name) -> ofChain.put(L2Networks.parse(chain), name));
        return new AccountKinds(kinds, kind, ofChain);
    }
}
