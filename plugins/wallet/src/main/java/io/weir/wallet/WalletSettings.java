package io.weir.wallet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
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
import java.util.TreeMap;
import java.util.function.BiFunction;

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

    /** What a kind of another name is unless the settings say otherwise. Its class is in the settings alone. */
    private static final AccountKind OTHER = new AccountKind(
            "", Felt.ZERO, List.of(AccountKind.PUBLIC_KEY), List.of("get_public_key"), "", List.of(), false);

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
        Map<String, AccountKind> kinds = new TreeMap<>(AccountKinds.KNOWN);
        for (String name : config.getObject("account.kinds").keySet()) {
            kinds.put(name, kind(name, config.getConfig("account.kinds." + ConfigUtil.quoteString(name))));
        }
        Map<Felt, String> ofChain = new HashMap<>();
        config.getObject("account.kind-of-chain").forEach((chain, kind) -> {
            Felt id = checked("account.kind-of-chain." + chain, () -> L2Networks.parse(chain));
            ofChain.put(id, String.valueOf(kind.unwrapped()));
        });
        return new AccountKinds(kinds.values(), config.getString("account.kind"), ofChain);
    }

    private static AccountKind kind(String name, Config block) {
        String path = "account.kinds." + name;
        AccountKind known = AccountKinds.KNOWN.getOrDefault(name, OTHER);
        AccountKind kind = new AccountKind(
                name,
                member(
                        path,
                        block,
                        "class-hash",
                        (members, member) -> Felt.parse(members.getString(member)),
                        known.classHash()),
                member(path, block, "constructor", Config::getStringList, known.constructor()),
                member(path, block, "owner-getters", Config::getStringList, known.ownerGetters()),
                member(path, block, "version-getter", Config::getString, known.versionGetter()),
                member(path, block, "upgrade", Config::getStringList, known.upgrade()),
                member(path, block, "cairo0", Config::getBoolean, known.cairo0()));
        if (kind.classHash().isZero()) {
            throw new IllegalArgumentException(path + ".class-hash: 0 (expected: the hash of its class)");
        }
        checked(path + ".constructor", () -> kind.constructorCalldata(Felt.ONE));
        checked(path + ".upgrade", kind::upgradeCalldata);
        return kind;
    }

    private static <T> T member(
            String path, Config block, String name, BiFunction<Config, String, T> reading, T otherwise) {
        return checked(path + "." + name, () -> {
            try {
                return block.hasPath(name) ? reading.apply(block, name) : otherwise;
            } catch (ConfigException e) {
                throw new IllegalArgumentException("of the wrong type (expected: as in reference.conf)", e);
            }
        });
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
