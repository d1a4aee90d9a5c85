package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Selector;
import io.weir.testing.DeclaredSettings;
import io.weir.testing.DeclaredSettings.Declared;
import io.weir.testing.SettingsText;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.token.TokenFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        return SettingsText.read(WalletSettings.class, settings);
    }

    @Test
    void theDefaultsAreTheUsualAccountsOnTheTestNetwork() {
        WalletSettings settings = read("");
        assertThat(settings.identity().defaultChainId()).isEqualTo("SN_SEPOLIA");
        AccountKind kind = settings.account().all().ofChain(SEPOLIA);
        assertThat(kind.constructorCalldata(Felt.of(7))).containsExactly(Felt.of(7), Felt.ZERO);
        assertThat(settings.account().all().named("legacy").orElseThrow().constructorCalldata(Felt.of(7)))
                .containsExactly(
                        Felt.parse("0x33434ad846cdd5f23eb73ff09fe6fddd568284a0fb7d1be20ee482f044dabe2"),
                        Selector.of("initialize"),
                        Felt.of(2),
                        Felt.of(7),
                        Felt.ZERO);
    }

    @Test
    void theTableOfThePageIsPrintedFromTheDeclarations() throws IOException {
        DeclaredSettings.assertPrinted(PAGE, "wallet", WalletSettings.class);
    }

    @Test
    void thereAreNoMoreSettings() {
        assertThat(DeclaredSettings.leaves("", DeclaredSettings.of(WalletSettings.class, false)))
                .as("settings outside of entries")
                .hasSizeLessThanOrEqualTo(22);
        assertThat(DeclaredSettings.leaves("", DeclaredSettings.of(WalletSettings.class, true)))
                .as("all settings")
                .hasSizeLessThanOrEqualTo(47);
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
        assertThat(settings.account()
                        .all()
                        .ofChain(ShortString.encode("SN_MAIN"))
                        .name())
                .isEqualTo("openzeppelin");
        assertThat(settings.account().all().ofChain(SEPOLIA).name()).isEqualTo("usual");
    }

    @Test
    void aKindOfOnesOwnIsOneLikeTheOthers() {
        WalletSettings settings = read("""
                account.kind = own
                account.kinds.own {
                  class-hash = "0x5", constructor = [public-key, "9"]
                }
                """);
        assertThat(settings.account().all().ofChain(SEPOLIA))
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
                .account()
                .all()
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
                        .account()
                        .all()
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
                "account.kind = other|account.kind: other (expected: one of legacy, openzeppelin, usual)",
                "account.kind = openzepelin|account.kind: openzepelin (expected: one of legacy, openzeppelin, usual;"
                        + " did you mean openzeppelin?)",
                "account.kind-of-chain { SN_MAIN = x }|account.kind-of-chain.SN_MAIN: x (expected: one of legacy,"
                        + " openzeppelin, usual)",
                "account.kinds.usual.class-hash = zz|account.kinds.usual.class-hash: zz (expected: the hash of its class: a"
                        + " decimal number, or 0x and hexadecimal digits)",
                "account.kinds.usual { hsh = 1 }|account.kinds.usual.hsh: unknown setting (expected: a known setting)",
                "account.kinds.own {}|account.kinds.own.class-hash: missing (expected: the hash of its class: a decimal"
                        + " number, or 0x and hexadecimal digits)",
                "account.kinds.usual.class-hash = \"0x0\"|account.kinds.usual.class-hash: \"0x0\" (expected: the hash of its"
                        + " class: a decimal number, or 0x and hexadecimal digits)",
                "seeds.passphrase-env = \"correct horse\"|seeds.passphrase-env: (hidden) (expected: the name of an"
                        + " environment variable)",
                "account.kinds.usual.upgrade = now|account.kinds.usual.upgrade: now (expected: a list [ … ])",
                "account.kinds.usual.constructor = [key]|account.kinds.usual.constructor.0: key (expected: a decimal"
                        + " number, or 0x and hexadecimal digits, or public-key)",
                "poll.interval = 1 ms|poll.interval: 1 ms (expected: a duration with a unit, such as 250 ms or 10 s,"
                        + " from 10 ms to 1 h)",
                "seeds.argon2.memory = 1 GiB|seeds.argon2.memory: 1 GiB (expected: a size with a unit, such as 64 KiB or"
                        + " 5 MiB, from 8 MiB to 512 MiB)",
                "fee-token = \"0x\"|fee-token: \"0x\" (expected: 0x and the hexadecimal digits of an address)",
                "default-chain-id = \"\"|default-chain-id: \"\" (expected: a chain id, such as SN_SEPOLIA)",
                "retention-days = 0|retention-days: 0 (expected: a whole number from 1 to 36500)",
                "fee-margin = -1|fee-margin: -1 (expected: a whole number from 0 to 10000)"
            })
    void whatCannotBeUsedIsNamed(String setting, String problem) {
        List<String> problems = new ArrayList<>();
        SettingsText.read(WalletSettings.class, setting, problems);
        assertThat(problems).containsExactly(problem);
    }

    @Test
    void numbersOfTheChainMayBeWrittenInDecimal() {
        String hash = "3166189940082864718613269121331309980362851143201109172953918312716374650937";
        assertThat(read("account.kinds.own.class-hash = \"" + hash + "\"")
                        .account()
                        .all()
                        .named("own")
                        .orElseThrow()
                        .classHash())
                .isEqualTo(Felt.parse(hash));
    }

    @Test
    void tokensAreNamedByAddressesAndEachOnce() {
        assertThat(read("tokens { \"0x0105\" = \"6 LORDS OF ALL\" }").namedTokens())
                .containsExactly(entry(Felt.parseHex("0x105"), new TokenFacts("LORDS OF ALL", 6, false)));
        assertThat(problems("tokens { \"0x0105\" = \"6 A\", \"0x105\" = \"6 B\", LORDS = \"18 LORDS\" }"))
                .hasSize(2)
                .anyMatch(line -> line.contains("one entry for each token"))
                .anyMatch(line -> line.contains("hexadecimal digits of an address"));
        assertThat(problems("tokens { \"0x0105\" = LORDS }"))
                .singleElement()
                .asString()
                .contains("decimal places, a space and a symbol");
    }

    @Test
    void everyMistakeIsToldAtOnce() {
        List<String> problems = new ArrayList<>();
        SettingsText.read(WalletSettings.class, "aliases = [\"a b\"]\napprover-sha256 = secret\naprovers {}", problems);
        assertThat(problems)
                .containsExactly(
                        "aliases.0: \"a b\" (expected: a letter, then up to 31 letters and digits)",
                        "approver-sha256: (hidden) (expected: 64 hex digits)",
                        "aprovers: unknown setting (expected: a known setting; did you mean plugins.plugin.approvers?)");
    }

    /** Every setting, with a name in place of those of entries that fits each of them, and beside it what its entry needs. */
    private static Map<String, Declared> paths() {
        Map<String, Declared> paths = new LinkedHashMap<>();
        DeclaredSettings.leaves("", DeclaredSettings.of(WalletSettings.class, true))
                .forEach((path, setting) -> {
                    if (!path.contains("<place>")) {
                        paths.put(path.replace("amounts.<name>", "amounts.0x1").replace("<name>", "legacy"), setting);
                    }
                });
        return paths;
    }

    private static List<String> problems(String line) {
        List<String> problems = new ArrayList<>();
        SettingsText.read(WalletSettings.class, line, problems);
        return problems;
    }

    @Test
    void aWrongNameIsToldWithTheRightOne() {
        int typos = 0;
        for (String path : paths().keySet()) {
            String name = path.substring(path.lastIndexOf('.') + 1);
            String typo = path.substring(0, path.length() - 1);
            if (name.length() >= 6 && !paths().containsKey(typo)) {
                typos++;
                assertThat(problems(typo + " = 1"))
                        .as(typo)
                        .contains(typo + ": unknown setting (expected: a known setting; did you mean plugins.plugin."
                                + path + "?)");
            }
        }
        assertThat(typos).isGreaterThan(30);
    }

    @Test
    void aWrongValueIsToldWithTheRule() {
        int wrong = 0;
        for (String path : paths().keySet()) {
            for (String value : List.of("\"\\u0000\"", "[[]]")) {
                List<String> problems = problems(path + " = " + value);
                wrong += problems.isEmpty() ? 0 : 1;
                assertThat(problems)
                        .as(path + " = " + value)
                        .allSatisfy(problem -> assertThat(problem).contains("(expected: "));
                assertThat(problems)
                        .as(path + " = " + value)
                        .anySatisfy(problem -> assertThat(problem).startsWith(path));
            }
        }
        assertThat(wrong).isEqualTo(2 * paths().size());
    }
}
