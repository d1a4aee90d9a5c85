package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The {@code maxFee} that a caller names is what is approved, signed and sent. A transaction is estimated at 120,000. */
class MaximumFeeTest {
    private static final long ESTIMATE = 120_000;

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private WalletFixture wallet;
    private Felt key;

    @BeforeEach
    void start() {
        wallet = WalletFixture.start(folder, chain, WalletFixture.QUICK);
        key = WalletFixture.felt(wallet.call("l2Net_extractPublicKey", Map.of("userAddress", wallet.address(0)))
                .stringValue());
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private AccountKind kind(String name) {
        return wallet.host
                .settings(WalletSettings.class)
                .account()
                .all()
                .named(name)
                .orElseThrow();
    }

    /** An account of a kind that stands on the chain. */
    private String account(String kind) {
        Felt address = kind(kind).address(key);
        chain.addContract(address, kind(kind).classHash(), key);
        wallet.call("l2Net_recoverAccounts", Map.of());
        wallet.approvals.asked.clear();
        return address.toPaddedHex();
    }

    private static Map<String, Object> transfer(String sender, Object maxFee) {
        Map<String, Object> params = new HashMap<>(Map.of(
                "contractAddress",
                ScriptedNode.TOKEN.toPaddedHex(),
                "contractFuncName",
                "transfer",
                "contractCallData",
                List.of("0x1234", "7", "0"),
                "senderAddress",
                sender));
        if (maxFee != null) {
            params.put("maxFee", maxFee);
        }
        return params;
    }

    /** What the transaction that the chain took last may cost at most, by its own bounds. */
    private BigInteger sent() {
        BigInteger most = BigInteger.ZERO;
        for (JsonNode bound : chain.lastTransaction().path("resource_bounds")) {
            most = most.add(number(bound.path("max_amount")).multiply(number(bound.path("max_price_per_unit"))));
        }
        return most;
    }

    private static BigInteger number(JsonNode quantity) {
        return new BigInteger(quantity.stringValue().substring(2), 16);
    }

    private void assertApprovedAndSentWithin(long named) {
        assertThat(sent()).isBetween(BigInteger.valueOf(named / 10 * 9), BigInteger.valueOf(named));
        assertThat(wallet.approvals.asked)
                .singleElement()
                .satisfies(request -> assertThat(request.maxFeeFri()).isEqualTo(sent()));
    }

    @ParameterizedTest
    @ValueSource(longs = {ESTIMATE, 130_000, 400_000, 12_000_000})
    void aTransactionIsSentWithTheMaximumThatIsNamed(long named) {
        wallet.call("l2Net_sendTransaction", transfer(account("usual"), String.valueOf(named)));

        assertApprovedAndSentWithin(named);
    }

    @Test
    void aMaximumInHexadecimalIsTheSame() {
        wallet.call("l2Net_sendTransaction", transfer(account("usual"), "0x" + Long.toHexString(400_000)));

        assertApprovedAndSentWithin(400_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "340282366920938463463374607431768211456",
                "0x100000000000000000000000000000000",
                "-1",
                "400000.5",
                "much"
            })
    void aMaximumThatIsNoFeeIsRefusedAndNobodyIsAsked(String named) {
        assertThat(wallet.failure("l2Net_sendTransaction", transfer(account("usual"), named)))
                .hasMessage("request.params.maxFee: \"" + named
                        + "\" (expected: a fee below 2^128, in hexadecimal or decimal)");
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void whereNoneIsNamedTheEstimateWithTheMarginCounts() {
        wallet.call("l2Net_sendTransaction", transfer(account("usual"), null));

        assertApprovedAndSentWithin(180_000);
    }

    @Test
    void aMaximumBelowTheEstimateIsRefusedAndNobodyIsAsked() {
        RpcException refusal = wallet.failure("l2Net_sendTransaction", transfer(account("usual"), "119999"));

        assertThat(refusal.code()).isEqualTo(RpcException.INVALID_PARAMS);
        assertThat(refusal).hasMessageContaining("maxFee");
        assertThat(wallet.approvals.asked).isEmpty();
        assertThat(chain.lastTransaction().isNull()).isTrue();
    }

    @Test
    void anUpgradeIsSentWithTheMaximumThatIsNamed() {
        String legacy = account("legacy");
        wallet.call("l2Net_upgradeAccContract", Map.of("contractAddress", legacy, "maxFee", "400000"));

        assertApprovedAndSentWithin(400_000);
    }
}
