package io.weir.wallet;

import io.weir.api.setting.About;
import io.weir.api.setting.Block;
import io.weir.api.setting.Checked;
import io.weir.api.setting.Setting;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountSettings;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.chain.FeltPattern;
import io.weir.wallet.key.SeedSettings;
import io.weir.wallet.snap.MethodPrefix;
import io.weir.wallet.snap.SnapEndpoint;
import io.weir.wallet.token.TokenFacts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings of the wallet. Immutable. */
record WalletSettings(
        @About("Id by which clients name the extension.")
        @Setting(value = "\"npm:@consensys/starknet-snap\"", pattern = "[!-~]+", rule = "a text")
        String snapId,

        @About("Words in the names of methods besides `l2Net`: `starknet` serves `starkNet_createAccount` too.")
        @Setting(value = "[]", pattern = WORD, rule = WORD_RULE)
        List<String> aliases,

        @About("The chain for calls that name none.")
        @Setting(value = "SN_SEPOLIA", pattern = FeltPattern.CHAIN_ID, rule = FeltPattern.CHAIN_ID_RULE)
        String defaultChainId,

        @About(
                "The token in which fees are paid, the same on all public networks. A cancelling transaction transfers nothing of it.")
        @Setting(
                value = "\"0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d\"",
                pattern = FeltPattern.ADDRESS,
                rule = FeltPattern.ADDRESS_RULE)
        String feeToken,

        @About(
                "Tokens that the page knows by their addresses: decimal places and symbol, as in `\"0x05…\" = \"18 LORDS\"`. STRK, ETH and USDC "
                        + "are known; others name themselves, and the page says so.")
        @Setting(
                value = "{}",
                pattern = TokenFacts.NAMED,
                rule = "decimal places, a space and a symbol, such as \"18 LORDS\"")
        Map<String, String> tokens,

        @About("The contracts that accounts are made of.") @Setting
        AccountSettings account,

        @About("Addition to an estimate, in percent.") @Setting(path = "fee-margin", value = "50", range = "0 to 10000")
        int feeMarginPercent,

        @About("Time between looks at unsettled transactions. Without such transactions no node is asked.")
        @Setting(path = "poll.interval", value = "5 s", range = "10 ms to 1 h")
        long pollMillis,

        @About("Settled transactions are stored for this many days.") @Setting(value = "365", range = "1 to 36500")
        int retentionDays,

        @Setting(path = ".") ApprovalSettings approvals,

        @About("The seeds of the tenants.") @Setting SeedSettings seeds,

        @About("File of the audit log, below the plugin's data, or an absolute path. An empty text turns the log off.")
        @Setting(path = "audit.file", value = "audit.jsonl", pattern = "[^\\x00]*", rule = "the path of a file")
        String auditFile)
        implements Checked {

    /** The kind of network that the wallet uses. */
    static final String NETWORK_KIND = "l2";

    static final String WORD = "[A-Za-z][A-Za-z0-9]{0,31}";
    static final String WORD_RULE = "a letter, then up to 31 letters and digits";

    /** Returns what the wallet answers to. */
    SnapEndpoint.Identity identity() {
        List<String> words = Stream.concat(Stream.of("l2net"), aliases.stream()).toList();
        return new SnapEndpoint.Identity(snapId, MethodPrefix.of(words), defaultChainId);
    }

    @Override
    public void check(Block block) {
        Block named = block.lookInto("tokens");
        FeltPattern.checkAddresses(named, tokens.keySet());
        tokens.keySet().stream()
                .filter(name -> !name.matches(FeltPattern.ADDRESS))
                .forEach(name -> named.lookInto(name).wrongName(FeltPattern.ADDRESS_RULE));
    }

    /** Returns what the configuration says of tokens. */
    Map<Felt, TokenFacts> namedTokens() {
        Map<Felt, TokenFacts> named = new HashMap<>();
        tokens.forEach((address, text) -> {
            if (address.matches(FeltPattern.ADDRESS)) {
                named.put(Felt.parseHex(address), TokenFacts.named(text));
            }
        });
        return named;
    }

    /** Returns the time between looks at unsettled transactions. */
    Duration pollInterval() {
        return Duration.ofMillis(pollMillis);
    }
}
