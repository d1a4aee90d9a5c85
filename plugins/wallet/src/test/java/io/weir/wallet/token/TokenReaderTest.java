package io.weir.wallet.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.testing.TokenChain;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenReaderTest {
    private static final Felt FEE_TOKEN = Felt.parseHex("0xfee");
    private static final Felt TOKEN = ApprovalFixture.TOKEN;
    private static final Felt ACCOUNT = ApprovalFixture.ACCOUNT;

    private static final Felt LORDS = Felt.parseHex("0x105d5");
    private static final Map<Felt, TokenFacts> NAMED =
            Map.of(LORDS, TokenFacts.named("18 LORDS"), FEE_TOKEN, TokenFacts.named("0 FALSE"));

    private final TokenChain chain = new TokenChain()
            .answer(TOKEN, "symbol", ShortString.encode("USDC"))
            .answer(TOKEN, "decimals", Felt.of(6))
            .answer(TOKEN, "balanceOf", Felt.of(5_000_000), Felt.ZERO)
            .answer(FEE_TOKEN, "balanceOf", Felt.of(1_000), Felt.ZERO);
    private final TokenReader reader = reader(Duration.ofSeconds(60));

    private TokenReader reader(Duration patience) {
        return new TokenReader(new L2Client(chain, System::nanoTime), FEE_TOKEN, NAMED, Runnable::run, patience);
    }

    private static TokenSnapshot read(TokenReader reader, Content request) throws Exception {
        return reader.read(request).get(60, TimeUnit.SECONDS);
    }

    private static RequestedCall call(Felt token, String function, Felt... data) {
        return new RequestedCall(token, function, List.of(data), List.of());
    }

    private static Content request(long fee, RequestedCall... calls) {
        return ApprovalFixture.transaction("demo", fee, calls);
    }

    @Test
    void readsSymbolDecimalsAndBalancesBeforeAndAfter() throws Exception {
        Content request = request(
                400,
                call(TOKEN, "transfer", Felt.of(7), Felt.of(1_500_000), Felt.ZERO),
                call(FEE_TOKEN, "transfer", Felt.of(7), Felt.of(700), Felt.ZERO));

        TokenSnapshot known = read(reader, request);

        TokenFacts usdc = known.of(TOKEN).orElseThrow();
        assertThat(usdc).isEqualTo(new TokenFacts("USDC", 6, true));
        assertThat(usdc.text(BigInteger.valueOf(1_500_000))).isEqualTo("1.5 USDC");
        assertThat(known.of(FEE_TOKEN)).contains(TokenFacts.FEE_TOKEN);
        List<TokenSnapshot.Balance> balances = known.balances(request);
        assertThat(balances)
                .containsExactly(
                        new TokenSnapshot.Balance(FEE_TOKEN, BigInteger.valueOf(1_000), BigInteger.valueOf(-100)),
                        new TokenSnapshot.Balance(TOKEN, BigInteger.valueOf(5_000_000), BigInteger.valueOf(3_500_000)));
        assertThat(balances.get(0).isShort()).isTrue();
        assertThat(balances.get(1).isShort()).isFalse();
    }

    @Test
    void aTokenThatTheOperatorNamesIsNotAskedForItsName() throws Exception {
        chain.answer(LORDS, "balanceOf", Felt.of(5), Felt.ZERO);
        Content request = request(1, call(LORDS, "transfer", Felt.of(7), Felt.ONE, Felt.ZERO));
        TokenSnapshot known = read(reader, request);
        assertThat(known.of(LORDS)).contains(new TokenFacts("LORDS", 18, false));
        assertThat(known.of(FEE_TOKEN)).as("no operator renames it").contains(TokenFacts.FEE_TOKEN);
        assertThat(chain.calls).as("the two balances").hasValue(2);
    }

    @Test
    void asksForSymbolAndDecimalsOnce() throws Exception {
        Content request = request(1, call(TOKEN, "approve", Felt.of(7), Felt.ONE, Felt.ZERO));
        read(reader, request);
        int first = chain.calls.getAndSet(0);
        read(reader, request);
        assertThat(first).as("symbol, decimals and two balances").isEqualTo(4);
        assertThat(chain.calls).as("the balances alone").hasValue(2);
    }

    @Test
    void aContractThatIsNoTokenIsNotKnownAndAskedAgain() throws Exception {
        Felt other = Felt.parseHex("0x0123");
        Content request = request(1, call(other, "transfer", Felt.of(7), Felt.ONE, Felt.ZERO));
        assertThat(read(reader, request).of(other)).isEmpty();
        chain.answer(other, "symbol", ShortString.encode("NEW")).answer(other, "decimals", Felt.ZERO);
        assertThat(read(reader, request).of(other).orElseThrow().text(BigInteger.TEN))
                .isEqualTo("10 NEW");
    }

    @Test
    void aSilentNodeDelaysThePageForABoundedTimeOnly() throws Exception {
        chain.fallSilent();
        Content request = request(1, call(TOKEN, "transfer", Felt.of(7), Felt.ONE, Felt.ZERO));
        TokenSnapshot known = read(reader(Duration.ofMillis(50)), request);
        assertThat(known.of(TOKEN)).isEmpty();
        assertThat(known.of(FEE_TOKEN)).contains(TokenFacts.FEE_TOKEN);
        assertThat(known.balances(request)).allSatisfy(balance -> {
            assertThat(balance.before()).isNull();
            assertThat(balance.after()).isNull();
        });
    }

    @Test
    void aSymbolMayBeAByteArrayAndIsCutAfter32Characters() throws Exception {
        String word = "abcdefghijklmnopqrstuvwxyz01234";
        chain.answer(TOKEN, "symbol", Felt.ONE, ShortString.encode(word), ShortString.encode("567"), Felt.of(3));
        Content request = request(1, call(TOKEN, "transfer", Felt.of(7), Felt.ONE, Felt.ZERO));
        assertThat(read(reader, request).of(TOKEN).orElseThrow().symbol()).isEqualTo(word + "5");
        assertThat(TokenFacts.read(List.of(Felt.ZERO, ShortString.encode("STRK"), Felt.of(4)), List.of(Felt.of(18)))
                        .symbol())
                .isEqualTo("STRK");
    }

    @Test
    void onlyCallsWhoseDataFitsTheFunctionHaveAnAmount() {
        Felt tooLong = Felt.of(BigInteger.ONE.shiftLeft(128));
        assertThat(TokenCall.of(call(TOKEN, "transfer", Felt.of(7), Felt.ONE), ACCOUNT))
                .isEmpty();
        assertThat(TokenCall.of(call(TOKEN, "transfer", Felt.of(7), tooLong, Felt.ZERO), ACCOUNT))
                .isEmpty();
        assertThat(TokenCall.of(call(TOKEN, "mint", Felt.of(7), Felt.ONE, Felt.ZERO), ACCOUNT))
                .isEmpty();
        TokenCall from = TokenCall.of(call(TOKEN, "transferFrom", Felt.of(9), ACCOUNT, Felt.ONE, Felt.ONE), ACCOUNT)
                .orElseThrow();
        assertThat(from.owner()).isEqualTo(Felt.of(9));
        assertThat(from.amount()).isEqualTo(BigInteger.ONE.shiftLeft(128).add(BigInteger.ONE));
        assertThat(from.change(ACCOUNT)).isEqualTo(from.amount());
        Felt word = Felt.of(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE));
        assertThat(TokenCall.of(call(TOKEN, "approve", Felt.of(9), word, word), ACCOUNT))
                .hasValueSatisfying(call -> assertThat(call.isUnlimited()).isTrue());
    }
}
