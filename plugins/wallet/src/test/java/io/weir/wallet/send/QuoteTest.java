package io.weir.wallet.send;

import static java.math.BigInteger.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.FeeEstimate.Resource;
import io.weir.wallet.chain.L2Network;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What transactions may cost at most, with and without a maximum that the caller names. */
class QuoteTest {
    private static final int MARGIN = 50;
    private static final AccountKind KIND =
            new AccountKind("usual", Felt.of(9), List.of("public-key"), List.of(), "", List.of(), false);
    private static final Draft DRAFT = Draft.deployment(new WalletAccount(
            "demo", new L2Network("sepolia", Felt.ONE), KIND, 0, Felt.of(5), KIND.address(Felt.of(5))));

    private static FeeEstimate estimate(long amount, long price) {
        Resource none = new Resource(ZERO, BigInteger.ONE);
        Resource gas = new Resource(BigInteger.valueOf(amount), BigInteger.valueOf(price));
        return new FeeEstimate(none, none, gas, gas.consumed().multiply(gas.price()));
    }

    private static Quote quote(BigInteger maxFee, FeeEstimate... estimates) {
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < estimates.length; i++) {
            drafts.add(DRAFT);
        }
        return Quote.of(drafts, List.of(estimates), maxFee, MARGIN);
    }

    private static BigInteger fri(long amount) {
        return BigInteger.valueOf(amount);
    }

    @Test
    void whereNoMaximumIsNamedTheEstimateWithTheMarginCounts() {
        Quote quote = quote(ZERO, estimate(10_000, 10_000));

        assertThat(quote.overallFee()).isEqualTo(100_000_000);
        assertThat(quote.suggestedMaxFee(MARGIN)).isEqualTo(150_000_000);
        assertThat(quote.maxFee()).isBetween(fri(149_000_000), fri(150_000_000));
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000_000, 110_000_000, 149_000_000, 151_000_000, 400_000_000, 5_000_000_000L})
    void aMaximumThatIsNamedCountsAlsoBelowAndAboveTheMargin(long named) {
        Quote quote = quote(fri(named), estimate(10_000, 10_000));

        assertThat(quote.maxFee()).isBetween(fri(named / 100 * 99), fri(named));
        assertThat(quote.maxFee()).isEqualTo(FeeEstimate.most(quote.bounds().get(0)));
    }

    @Test
    void aMaximumIsSharedByWhatTheTransactionsCost() {
        Quote quote = quote(fri(800_000_000), estimate(10_000, 10_000), estimate(10_000, 30_000));

        assertThat(quote.bounds()).hasSize(2);
        assertThat(FeeEstimate.most(quote.bounds().get(0))).isBetween(fri(198_000_000), fri(200_000_000));
        assertThat(FeeEstimate.most(quote.bounds().get(1))).isBetween(fri(594_000_000), fri(600_000_000));
    }

    @Test
    void aMaximumBelowTheEstimateIsRefused() {
        FeeEstimate estimate = estimate(10_000, 10_000);

        assertThatThrownBy(() -> quote(fri(99_999_999), estimate)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> quote(fri(199_999_999), estimate, estimate))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> quote(BigInteger.ONE, estimate)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anyMaximumFromTheEstimateOnIsTakenAndNeverExceeded() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            FeeEstimate first = estimate(1 + random.nextInt(1_000_000), 1 + random.nextInt(1_000_000));
            FeeEstimate second = estimate(1 + random.nextInt(1_000_000), 1 + random.nextInt(1_000_000));
            BigInteger overall = first.overallFee().add(second.overallFee());
            BigInteger named = overall.multiply(fri(100 + random.nextInt(300))).divide(fri(100));
            String where = "seed " + seed + ", round " + round + ": " + first + ", " + second + " within " + named;
            Quote quote = quote(named, first, second);

            assertThat(quote.maxFee()).as(where).isLessThanOrEqualTo(named);
            for (int i = 0; i < 2; i++) {
                ResourceBounds bounds = quote.bounds().get(i);
                assertThat(bounds.l2Gas().maxAmount())
                        .as(where)
                        .isGreaterThanOrEqualTo(quote.estimates().get(i).l2Gas().consumed());
            }
        }
    }

    @Test
    void whatCostsNothingHasNoMaximum() {
        Quote quote = quote(fri(1_000), estimate(0, 5));

        assertThat(quote.maxFee()).isZero();
        assertThat(quote.overallFee()).isZero();
    }

    @Test
    void aSecondTransactionMeansThatTheFirstDeploysTheAccount() {
        assertThat(quote(ZERO, estimate(1, 1)).includesDeployment()).isFalse();
        assertThat(quote(ZERO, estimate(1, 1), estimate(1, 1)).includesDeployment())
                .isTrue();
    }
}
