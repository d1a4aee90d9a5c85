package io.weir.wallet.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.transaction.ResourceBounds;
import io.weir.wallet.chain.FeeEstimate.Resource;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class FeeEstimateTest {

    private static FeeEstimate estimate(long l1, long data, long l2) {
        Resource l1Gas = new Resource(BigInteger.ZERO, BigInteger.valueOf(l1));
        Resource dataGas = new Resource(BigInteger.valueOf(data), BigInteger.valueOf(data + 1));
        Resource l2Gas = new Resource(BigInteger.valueOf(l2), BigInteger.valueOf(3 * l2));
        return new FeeEstimate(l1Gas, dataGas, l2Gas, dataGas.cost().add(l2Gas.cost()));
    }

    @Test
    void boundsNeverCostMoreThanTheMaximumNorCoverLessThanTheEstimate() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            FeeEstimate estimate = estimate(
                    random.nextInt(100), random.nextInt(1 + random.nextInt(100_000)), 1 + random.nextInt(1_000_000));
            BigInteger maxFee = estimate.suggestedMaxFee(random.nextInt(500));
            ResourceBounds bounds = estimate.boundsWithin(maxFee);
            String where = "seed " + seed + ", round " + i + ": " + estimate + " within " + maxFee + ": " + bounds;
            assertThat(FeeEstimate.most(bounds)).as(where).isLessThanOrEqualTo(maxFee);
            assertThat(bounds.l2Gas().maxAmount())
                    .as(where)
                    .isGreaterThanOrEqualTo(estimate.l2Gas().consumed());
            assertThat(bounds.l1DataGas().maxAmount())
                    .as(where)
                    .isGreaterThanOrEqualTo(estimate.l1DataGas().consumed());
        }
    }

    @Test
    void aMarginIsSharedByAmountsAndPrices() {
        ResourceBounds bounds = new FeeEstimate(
                        new Resource(BigInteger.ZERO, BigInteger.ONE),
                        new Resource(BigInteger.ZERO, BigInteger.ONE),
                        new Resource(BigInteger.valueOf(10_000), BigInteger.valueOf(10_000)),
                        BigInteger.valueOf(100_000_000))
                .boundsWithin(BigInteger.valueOf(144_000_000));
        assertThat(bounds.l2Gas().maxAmount()).isEqualTo(12_000);
        assertThat(bounds.l2Gas().maxPricePerUnit()).isEqualTo(12_000);
    }

    @Test
    void aMaximumBelowTheEstimateIsRefused() {
        FeeEstimate estimate = estimate(1, 10, 100);
        assertThatThrownBy(() -> estimate.boundsWithin(estimate.overallFee().subtract(BigInteger.ONE)))
                .hasMessage("maxFee: 30109 (expected: at least the estimated fee, 30110)");
    }

    @Test
    void theAnswerOfANodeIsRead() {
        String answer = """
            {"l1_gas_consumed":"0x1","l1_gas_price":"0x2","l1_data_gas_consumed":"0x3","l1_data_gas_price":"0x4",
            "l2_gas_consumed":"0x5","l2_gas_price":"0x6","overall_fee":"0x2c","unit":"FRI"}
            """;
        FeeEstimate estimate = FeeEstimate.read(JsonMapper.builder().build().readTree(answer));
        assertThat(estimate.overallFee()).isEqualTo(44);
        assertThat(estimate.l2Gas()).isEqualTo(new Resource(BigInteger.valueOf(5), BigInteger.valueOf(6)));
        assertThat(estimate.suggestedMaxFee(50)).isEqualTo(66);
    }
}
