package io.weir.app.start;

import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.verify.ChainRules;
import io.weir.verify.family.ChainFamily;
import io.weir.verify.family.KnownChains;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Notes about what cannot be verified on networks that verify answers. Stateless. */
final class VerificationNotes {

    private static final String ETHEREUM = "ethereum";

    private VerificationNotes() {}

    /** Returns the notes, one line each. */
    static List<String> of(Collection<NetworkConfig> networks) {
        List<String> notes = new ArrayList<>();
        for (NetworkConfig network : networks) {
            if (network.verify() == Verify.OFF || !network.kind().equals(ETHEREUM)) {
                continue;
            }
            ChainRules rules = ChainRules.of(network);
            ChainFamily family = rules.family();
            String path = "networks." + network.name() + ": ";
            if (!family.unprovable().isEmpty()) {
                notes.add(path + "the family " + word(family) + " leaves unproven: " + family.unprovable());
            }
            if (rules.isOfOtherFamily(network.chainId())) {
                ChainFamily known = KnownChains.family(network.chainId());
                notes.add(path + "chain id " + network.chainId() + " belongs to the family " + word(known)
                        + " (now: ethereum, by which its blocks may not be proven)");
            }
        }
        return List.copyOf(notes);
    }

    private static String word(ChainFamily family) {
        return family.name().toLowerCase(Locale.ROOT);
    }
}
