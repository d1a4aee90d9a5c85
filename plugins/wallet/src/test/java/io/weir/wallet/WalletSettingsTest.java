package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Selector;
import io.weir.wallet.account.AccountKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WalletSettingsTest {
    private static final Felt SEPOLIA = ShortString.encode("SN_SEPOLIA");

    private static WalletSettings read(String settings) {
        Config config = ConfigFactory.parseString(settings)
                .atPath("plugins.wallet")
                .withFallback(ConfigFactory.parseResources(WalletSettings.class.getClassLoader(), "reference.conf"))
                .resolve()
                .getConfig("plugins.wallet");
        return WalletSettings.read(config);
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
    void accountsMayBeOfAnotherKindOnOneChain() {
        WalletSettings settings = read("account.kind-of-chain { SN_MAIN = openzeppelin }");
        assertThat(settings.kinds().ofChain(ShortString.encode("SN_MAIN")).name())
                .isEqualTo("openzeppelin");
        assertThat(settings.kinds().ofChain(SEPOLIA).name()).isEqualTo("usual");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "account.kind = other|account.kind: other (expected: one of [legacy, openzeppelin, usual])",
                "account.kind-of-chain { SN_MAIN = x }|account.kind-of-chain: x (expected: one of [legacy,"
                        + " openzeppelin, usual])",
                "account.kinds.usual.class-hash = zz|account.kinds.usual.class-hash: felt: zz (expected: a decimal"
                        + " number, or 0x and hexadecimal digits)",
                "poll.batch = 0|poll.batch: 0 (expected: from 1 to 10000)",
                "poll.interval = 1 ms|poll.interval: 1 (expected: from 10 to 3600000)",
                "retention-days = 0|retention-days: 0 (expected: from 1 to 36500)",
                "fee-margin = -1|fee-margin: -1 (expected: from 0 to 10000)"
            })
    void whatCannotBeUsedIsNamed(String setting, String problem) {
        assertThatThrownBy(() -> read(setting)).hasMessage(problem);
    }
}
