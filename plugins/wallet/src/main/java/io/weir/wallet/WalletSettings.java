package io.weir.wallet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.send.StatusPoller;
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
 */
record WalletSettings(
        SnapEndpoint.Identity identity,
        String networkKind,
        Felt feeToken,
        AccountKinds kinds,
        Limits limits,
        Poll poll) {
    private static final int MAX_MARGIN_PERCENT = 10_000;

    /** The bounds of the wallet. Immutable. */
    record Limits(
            int scannedIndexes,
            int maxScanned,
            int maxCalls,
            int feeMarginPercent,
            int maxWaiting,
            int maxRequests,
            Duration deployWait,
            int retentionDays) {}

    /** How it looks after transactions. Immutable. */
    record Poll(Duration interval, StatusPoller.Bounds bounds) {}

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
                limits(config),
                poll(config));
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

    private static Limits limits(Config config) {
        return new Limits(
                config.getInt("account.scanned-indexes"),
                config.getInt("max-scanned"),
                config.getInt("max-calls"),
                config.getInt("fee-margin"),
                config.getInt("max-waiting"),
                config.getInt("max-requests"),
                config.getDuration("deploy-wait"),
                config.getInt("retention-days"));
    }

    private static Poll poll(Config config) {
        return new Poll(
                config.getDuration("poll.interval"),
                new StatusPoller.Bounds(config.getInt("poll.batch"), config.getDuration("poll.resend-after")));
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
        between(problems, "account.scanned-indexes", limits.scannedIndexes(), 1, 1000);
        between(problems, "max-scanned", limits.maxScanned(), 1, 1000);
        between(problems, "max-calls", limits.maxCalls(), 1, 1000);
        between(problems, "fee-margin", limits.feeMarginPercent(), 0, MAX_MARGIN_PERCENT);
        between(problems, "max-waiting", limits.maxWaiting(), 1, 10_000);
        between(problems, "max-requests", limits.maxRequests(), 1, 1_000_000);
        between(problems, "retention-days", limits.retentionDays(), 1, 36_500);
        between(problems, "poll.batch", poll.bounds().batch(), 1, 10_000);
        between(problems, "poll.interval", poll.interval().toMillis(), 10, 3_600_000);
        between(problems, "poll.resend-after", poll.bounds().resendAfter().toMillis(), 1000, 86_400_000);
        between(problems, "deploy-wait", limits.deployWait().toMillis(), 100, 600_000);
        return problems;
    }

    private static void between(List<String> problems, String path, long value, long least, long most) {
        if (value < least || value > most) {
            problems.add(path + ": " + value + " (expected: from " + least + " to " + most + ")");
        }
    }
}
