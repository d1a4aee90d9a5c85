package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Selector;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.testing.TestHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WalletSettingsTest {
    private static final Path PAGE = Path.of("README.md");
    private static final Felt SEPOLIA = ShortString.encode("SN_SEPOLIA");

    private static WalletSettings read(String settings) {
        return WalletSettings.read(TestHost.read(settings));
    }

    @Test
    void theDefaultsAreTheUsualAccountsOnTheTestNetwork() {
        WalletSettings settings = read("");
        assertThat(settings.identity().defaultChainId()).isEqualTo("SN_SEPOLIA");
        assertThat(settings.networkKind()).isEqualTo("l2");
        AccountKind kind = settings.kinds().ofChain(SEPOLIA);
        assertThat(kind.constructorCalldata(Felt.of(7))).containsExactly(Felt.of(7), Felt.ZERO);
        assertThat(settings.kinds().named("legacy").orElseThrow().constructorCalldata(Felt.of(7)))
                .containsExactly(
                        Felt.parse("0x33434ad846cdd5f23eb73ff09fe6fddd568284a0fb7d1be20ee482f044dabe2"),
                        Selector.of("initialize"),
                        Felt.of(2),
                        Felt.of(7),
                        Felt.ZERO);
    }

    @Test
    void everySettingIsDescribedForOperatorsWithItsDefault() throws IOException {
        Config wallet = ConfigFactory.parseResources(WalletSettings.class.getClassLoader(), "reference.conf")
                .getConfig("plugins.wallet");
        Map<String, String> defaults = new TreeMap<>();
        wallet.entrySet().stream()
                .filter(setting -> !setting.getKey().startsWith("account.kinds."))
                .forEach(setting ->
                        defaults.put(setting.getKey(), text(setting.getValue().unwrapped())));
        // Blocks: one is empty by default, the other one holds the kinds of accounts.
        defaults.put("account.kind-of-chain", "`{}`");
        defaults.put("account.kinds", "`" + String.join("`, `", new TreeSet<>(AccountKinds.KNOWN.keySet())) + "`");

        Map<String, String> described = new TreeMap<>();
        Pattern.compile("(?m)^\\| `([a-z0-9.-]+)` \\| ((?:`[^`]+`|–)(?:, `[^`]+`)*) \\| .+ \\| .+ \\|$")
                .matcher(Files.readString(PAGE))
                .results()
                .forEach(row -> described.put(row.group(1), row.group(2)));
        assertThat(described).containsExactlyInAnyOrderEntriesOf(defaults);
    }

    private static String text(Object value) {
        return value.equals("") ? "–" : "`" + value + "`";
    }

    @Test
    void everyMeterIsDescribedForOperators() throws IOException {
        List<String> meters = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Pattern.compile("meters\\s*\\.(counter|gauge|timer)\\(\\s*\"(\\w+)\"")
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(meter -> meters.add("weir_plugin_wallet_" + meter.group(2)
                                + (meter.group(1).equals("counter") ? "_total" : "")));
            }
        }
        assertThat(Pattern.compile("(?m)^\\| `(weir_\\w+)` \\|")
                        .matcher(Files.readString(PAGE))
                        .results()
                        .map(row -> row.group(1)))
                .hasSizeGreaterThan(10)
                .containsExactlyInAnyOrderElementsOf(meters);
    }

    @Test
    void accountsMayBeOfAnotherKindOnOneChain() {
        WalletSettings settings = read("account.kind-of-chain { SN_MAIN = openzeppelin }");
        assertThat(settings.kinds().ofChain(ShortString.encode("SN_MAIN")).name())
                .isEqualTo("openzeppelin");
        assertThat(settings.kinds().ofChain(SEPOLIA).name()).isEqualTo("usual");
    }

    @Test
    void aKindOfOnesOwnIsOneLikeTheOthers() {
        WalletSettings settings = read("""
                account.kind = own
                account.kinds.own {
                  class-hash = "0x5", constructor = [public-key, "9"]
                }
                """);
        assertThat(settings.kinds().ofChain(SEPOLIA))
                .isEqualTo(new AccountKind(
                        "own",
                        Felt.of(5),
                        List.of("public-key", "9"),
                        List.of("get_public_key"),
                        "",
                        List.of(),
                        false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "openzeppelin", "legacy"})
    void aKnownKindKeepsWhatTheSettingsDoNotSay(String name) {
        AccountKind known = AccountKinds.KNOWN.get(name);
        AccountKind other = read("account.kinds." + name + " { class-hash = \"0x5\", upgrade = [] }")
                .kinds()
                .named(name)
                .orElseThrow();
        assertThat(other)
                .isEqualTo(new AccountKind(
                        name,
                        Felt.of(5),
                        known.constructor(),
                        known.ownerGetters(),
                        known.versionGetter(),
                        List.of(),
                        known.cairo0()));
        assertThat(read("account.kinds." + name + ".cairo0 = " + !known.cairo0())
                        .kinds()
                        .named(name)
                        .orElseThrow())
                .isNotEqualTo(known)
                .extracting(AccountKind::classHash, AccountKind::upgrade)
                .containsExactly(known.classHash(), known.upgrade());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "account.kind = other|account.kind: other (expected: one of [legacy, openzeppelin, usual])",
                "account.kind = openzepelin|account.kind: openzepelin (expected: one of [legacy, openzeppelin, usual];"
                        + " did you mean openzeppelin?)",
                "account.kind-of-chain { SN_MAIN = x }|account.kind-of-chain: x (expected: one of [legacy,"
                        + " openzeppelin, usual])",
                "account.kinds.usual.class-hash = zz|account.kinds.usual.class-hash: felt: zz (expected: a decimal"
                        + " number, or 0x and hexadecimal digits)",
                "poll.interval = 1 ms|poll.interval: 1 (expected: from 10 to 3600000)",
                "account.kinds.own {}|account.kinds.own.class-hash: 0 (expected: the hash of its class)",
                "account.kinds.usual.upgrade = now|account.kinds.usual.upgrade: of the wrong type (expected: as in"
                        + " reference.conf)",
                "retention-days = 0|retention-days: 0 (expected: from 1 to 36500)",
                "fee-margin = -1|fee-margin: -1 (expected: from 0 to 10000)"
            })
    void whatCannotBeUsedIsNamed(String setting, String problem) {
        assertThatThrownBy(() -> read(setting)).hasMessage(problem);
    }
}
