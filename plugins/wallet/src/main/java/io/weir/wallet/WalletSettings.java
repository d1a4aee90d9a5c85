package io.weir.wallet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.snap.MethodPrefix;
import io.weir.wallet.snap.SnapEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of what the wallet does; {@code reference.conf} says what each is for. Immutable.
 *
 * @param identity what it answers to
 * @param networkKind the kind of the networks that it uses
 * @param feeToken the token in which fees are paid
 * @param feeMarginPercent added to an estimate
 * @param retentionDays for which settled transactions are stored
 * @param pollInterval between looks at unsettled transactions
 */
record WalletSettings(
        SnapEndpoint.Identity identity,
        String networkKind,
        Felt feeToken,
        AccountKinds kinds,
        int feeMarginPercent,
        int retentionDays,
        Duration pollInterval) {
    private static final int MAX_MARGIN_PERCENT = 10_000;

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException when they cannot be used; the text is a line for the operator
     */
    static WalletSettings read(Config config) {
        WalletSettings settings = new WalletSettings(
                identity(config),
                config.getString("network-kind"),
                checked("fee-token", () -> Felt.parseHex(config.getString("fee-token"))),
                kinds(config),
                config.getInt("fee-margin"),
                config.getInt("retention-days"),
                config.getDuration("poll.interval"));
        settings.problems().stream().findFirst().ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return settings;
    }

    private static SnapEndpoint.Identity identity(Config config) {
        List<String> words = new ArrayList<>();
        words.add(config.getString("method-prefix"));
        words.addAll(config.getStringList("aliases"));
        String chainId = config.getString("default-chain-id");
        checked("default-chain-id", () -> L2Networks.parse(chainId));
        return new SnapEndpoint.Identity(config.getString("snap-id"), MethodPrefix.of(words), chainId);
    }

    private static AccountKinds kinds(Config config) {
        List<AccountKind> kinds = new ArrayList<>();
        ConfigObject blocks = config.getObject("account.kinds");
        for (String name : blocks.keySet().stream().sorted().toList()) {
            kinds.add(kind(name, config.getConfig("account.kinds." + ConfigUtil.quoteString(name))));
        }
        Map<Felt, String> ofChain = new HashMap<>();
        config.getObject("account.kind-of-chain").forEach((chain, kind) -> {
            Felt id = checked("account.kind-of-chain." + chain, () -> L2Networks.parse(chain));
            ofChain.put(id, String.valueOf(kind.unwrapped()));
        });
        return new AccountKinds(kinds, config.getString("account.kind"), ofChain);
    }

    private static AccountKind kind(String name, Config block) {
        String path = "account.kinds." + name;
        AccountKind kind = new AccountKind(
                name,
                checked(path + ".class-hash", () -> Felt.parse(block.getString("class-hash"))),
                block.getStringList("constructor"),
                block.getStringList("owner-getters"),
                block.getString("version-getter"),
                block.getStringList("upgrade"),
                block.getBoolean("cairo0"));
        checked(path + ".constructor", () -> kind.constructorCalldata(Felt.ONE));
        checked(path + ".upgrade", kind::upgradeCalldata);
        return kind;
    }

    private interface Reading<T> {
        T read();
    }

    private static <T> T checked(String path, Reading<T> reading) {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        between(problems, "fee-margin", feeMarginPercent, 0, MAX_MARGIN_PERCENT);
        between(problems, "retention-days", retentionDays, 1, 36_500);
        between(problems, "poll.interval", pollInterval.toMillis(), 10, 3_600_000);
        return problems;
    }

    private static void between(List<String> problems, String path, long value, long least, long most) {
        if (value < least || value > most) {
            problems.add(path + ": " + value + " (expected: from " + least + " to " + most + ")");
        }
    }
}
