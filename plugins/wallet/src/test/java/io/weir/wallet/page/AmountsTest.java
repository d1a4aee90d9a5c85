package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.ACCOUNT;
import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.token.TokenFacts;
import io.weir.wallet.token.TokenSnapshot;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AmountsTest {
    private static final Felt FEE_TOKEN = Felt.parseHex("0xfee");
    private static final Felt FULL_WORD = Felt.of(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE));
    private static final TokenSnapshot KNOWN = new TokenSnapshot(
            FEE_TOKEN,
            Map.of(TOKEN, new TokenFacts("<b>US\u202eDC", 6, true), FEE_TOKEN, TokenFacts.FEE_TOKEN),
            Map.of(TOKEN, BigInteger.valueOf(2_000_000)));

    private static RequestedCall call(Felt token, String function, Felt... data) {
        return new RequestedCall(token, function, List.of(data), List.of());
    }

    private static String effect(TokenSnapshot tokens, RequestedCall call) {
        return text("effect", Map.of("call", call, "account", ACCOUNT, "amounts", new Amounts(tokens)));
    }

    private static String text(String template, Map<String, Object> values) {
        return new String(Html.of(template, values), UTF_8).replaceAll("<[^>]+>", "");
    }

    @Test
    void anAmountHasTheSymbolThatTheContractGivesItselfAndTheRawValue() {
        assertThat(effect(KNOWN, call(TOKEN, "transfer", Felt.of(7), Felt.of(1_500_000), Felt.ZERO)))
                .startsWith(
                        "Transfers 1.5 &lt;b&gt;US[U+202E]DC (named by the contract) = 1500000 of the smallest unit to"
                                + " 0x")
                .endsWith("07.\n");
        assertThat(effect(KNOWN, call(FEE_TOKEN, "transfer", Felt.of(7), Felt.of(15), Felt.ZERO)))
                .contains("0.000000000000000015 STRK (the fee token) = 15 of the smallest unit");
    }

    @Test
    void aTransferFromSomebodyElseNamesTheOwner() {
        assertThat(effect(KNOWN, call(TOKEN, "transfer_from", Felt.of(9), Felt.of(7), Felt.ONE, Felt.ZERO)))
                .containsSubsequence("Transfers 0.000001", " from 0x", "09 to 0x", "07.");
    }

    @Test
    void anAllowanceWithoutALimitSaysSo() {
        assertThat(effect(KNOWN, call(TOKEN, "approve", Felt.of(9), FULL_WORD, FULL_WORD)))
                .containsSubsequence("Allows 0x", " to take everything, without a limit");
        assertThat(effect(KNOWN, call(TOKEN, "increaseAllowance", Felt.of(9), Felt.ONE, Felt.ZERO)))
                .contains("more than before")
                .doesNotContain("limit");
    }

    private static String line(TokenSnapshot tokens, RequestedCall call) {
        return new Amounts(tokens).line(call, ACCOUNT);
    }

    @Test
    void oneLineNamesTheRecipientAndWhereTheDecimalsComeFrom() {
        String recipient = Felt.of(7).toPaddedHex();
        RequestedCall payment = call(TOKEN, "transfer", Felt.of(7), Felt.of(1_500_000), Felt.ZERO);
        assertThat(line(KNOWN, payment))
                .isEqualTo("transfer 1.5 <b>US\u202eDC to " + recipient + ", token " + TOKEN.toPaddedHex()
                        + " (symbol and decimals named by the contract)");
        assertThat(line(TokenSnapshot.NONE, payment))
                .isEqualTo("transfer 1500000 units to " + recipient + ", token " + TOKEN.toPaddedHex()
                        + " (symbol and decimals not known)");
        assertThat(line(KNOWN, call(FEE_TOKEN, "transfer_from", Felt.of(9), Felt.of(7), Felt.of(1), Felt.ZERO)))
                .isEqualTo("transfer_from 0.000000000000000001 STRK from "
                        + Felt.of(9).toPaddedHex() + " to " + recipient);
        assertThat(line(KNOWN, call(FEE_TOKEN, "approve", Felt.of(7), FULL_WORD, Felt.ZERO)))
                .isEqualTo("approve without limit STRK for " + recipient);
        assertThat(line(KNOWN, call(TOKEN, "mint"))).isEqualTo("mint at " + TOKEN.toPaddedHex());
        assertThat(line(KNOWN, call(ACCOUNT, "upgrade"))).isEqualTo("upgrade at the account itself");
    }

    @Test
    void whatIsNotKnownIsSaidToBeSo() {
        assertThat(effect(TokenSnapshot.NONE, call(TOKEN, "transfer", Felt.of(7), Felt.ONE, Felt.ZERO)))
                .contains("1 of the smallest unit of a token whose symbol and decimals are not known");
        assertThat(effect(KNOWN, call(TOKEN, "mint", Felt.of(7), Felt.ONE, Felt.ZERO)))
                .isEmpty();
    }

    @Test
    void balancesAreShownBeforeAndAfterAndWhereTheyDoNotSuffice() {
        Content request = ApprovalFixture.transaction(
                "demo", 5, call(TOKEN, "transfer", Felt.of(7), Felt.of(2_500_000), Felt.ZERO), call(TOKEN, "mint"));
        assertThat(text("balances", Map.of("request", request, "amounts", new Amounts(KNOWN))))
                .containsSubsequence("STRK (the fee token)", "not known", "not known")
                .containsSubsequence("DC (named by the contract)", "2 &lt;b&gt;US", "-0.5 &lt;b&gt;US", "not enough")
                .contains("Calls that the wallet cannot read may change more.");
    }
}
