package io.weir.l2.transaction;

import static io.weir.l2.Vectors.felt;
import static io.weir.l2.Vectors.felts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.Vectors;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class TransactionHashTest {
    private static final Felt CHAIN = ShortString.encode("SN_SEPOLIA");
    private static final ResourceBound SOME = new ResourceBound(BigInteger.ONE, BigInteger.TWO);

    @Test
    void deploymentsHaveThePublishedHashes() {
        int used = 0;
        for (JsonNode test : Vectors.transcribed("deploy_account_v3_hash").path("cases")) {
            if (test.has("hash")) {
                used++;
                Felt classHash = felt(test.path("classHash"));
                List<Felt> calldata = felts(test.path("constructorCalldata"));
                assertThat(TransactionHash.ofDeployAccount(fields(test), classHash, felt(test.path("salt")), calldata))
                        .as(test.path("source").stringValue())
                        .isEqualTo(felt(test.path("hash")));
            }
        }
        assertThat(used).isEqualTo(2);
    }

    @Test
    void invocationsHaveThePublishedHashes() {
        JsonNode cases = Vectors.transcribed("invoke_v3_hash").path("cases");
        assertThat(cases).hasSize(1);
        for (JsonNode test : cases) {
            assertThat(TransactionHash.ofInvoke(
                            fields(test), felt(test.path("senderAddress")), List.of(), felts(test.path("calldata"))))
                    .isEqualTo(felt(test.path("hash")));
        }
    }

    @Test
    void feesHaveThePublishedHashes() {
        JsonNode cases = Vectors.transcribed("v3_fee_field_hash").path("cases");
        assertThat(cases).hasSize(2);
        for (JsonNode test : cases) {
            ResourceBounds bounds = new ResourceBounds(
                    pair(test.path("l1_gas")), pair(test.path("l2_gas")), pair(test.path("l1_data_gas")));
            TransactionFields fields = TransactionFields.of(CHAIN, Felt.ZERO, bounds);
            assertThat(fields.feeHash()).isEqualTo(felt(test.path("hash")));
        }
    }

    @Test
    void everyFieldCounts() {
        ResourceBounds two = new ResourceBounds(SOME, SOME, null);
        ResourceBounds three = new ResourceBounds(SOME, SOME, ResourceBound.NONE);
        DataAvailability l1 = DataAvailability.L1;
        DataAvailability l2 = DataAvailability.L2;
        List<TransactionFields> all = List.of(
                TransactionFields.of(CHAIN, Felt.ZERO, two),
                TransactionFields.of(CHAIN, Felt.ZERO, three),
                TransactionFields.of(ShortString.encode("SN_MAIN"), Felt.ZERO, two),
                TransactionFields.of(CHAIN, Felt.ONE, two),
                new TransactionFields(CHAIN, Felt.ZERO, BigInteger.ONE, two, List.of(), l1, l1, false),
                new TransactionFields(CHAIN, Felt.ZERO, BigInteger.ZERO, two, List.of(Felt.ZERO), l1, l1, false),
                new TransactionFields(CHAIN, Felt.ZERO, BigInteger.ZERO, two, List.of(), l2, l1, false),
                new TransactionFields(CHAIN, Felt.ZERO, BigInteger.ZERO, two, List.of(), l1, l2, false),
                new TransactionFields(CHAIN, Felt.ZERO, BigInteger.ZERO, two, List.of(), l1, l1, true));
        Set<Felt> hashes = new HashSet<>();
        for (TransactionFields fields : all) {
            hashes.add(TransactionHash.ofInvoke(fields, Felt.ONE, List.of(), List.of()));
            hashes.add(TransactionHash.ofInvoke(fields, Felt.ONE, List.of(Felt.ONE), List.of()));
            hashes.add(TransactionHash.ofInvoke(fields, Felt.ONE, List.of(), List.of(Felt.ONE)));
            hashes.add(TransactionHash.ofDeployAccount(fields, Felt.ONE, Felt.ZERO, List.of()));
        }
        assertThat(hashes).hasSize(4 * all.size());
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        BigInteger bound64 = BigInteger.ONE.shiftLeft(64);
        BigInteger bound128 = BigInteger.ONE.shiftLeft(128);
        ResourceBounds bounds = new ResourceBounds(SOME, SOME, null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ResourceBound(BigInteger.ONE.negate(), BigInteger.ZERO))
                .withMessageStartingWith("max_amount");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ResourceBound(bound64, BigInteger.ZERO))
                .withMessageStartingWith("max_amount");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ResourceBound(BigInteger.ZERO, bound128))
                .withMessageStartingWith("max_price_per_unit");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TransactionFields(
                        CHAIN, Felt.ZERO, bound64, bounds, List.of(), DataAvailability.L1, DataAvailability.L1, false))
                .withMessageStartingWith("tip");
        assertThat(new ResourceBound(bound64.subtract(BigInteger.ONE), bound128.subtract(BigInteger.ONE))
                        .packed("L1_DATA")
                        .bitLength())
                .isLessThanOrEqualTo(251);
    }

    static TransactionFields fields(JsonNode test) {
        JsonNode bounds = test.path("resource_bounds");
        ResourceBounds resources = new ResourceBounds(
                named(bounds.path("l1_gas")),
                named(bounds.path("l2_gas")),
                bounds.has("l1_data_gas") ? named(bounds.path("l1_data_gas")) : null);
        return TransactionFields.of(felt(test.path("chainId")), felt(test.path("nonce")), resources);
    }

    static ResourceBound named(JsonNode bound) {
        return new ResourceBound(
                felt(bound.path("max_amount")).toBigInteger(),
                felt(bound.path("max_price_per_unit")).toBigInteger());
    }

    private static ResourceBound pair(JsonNode bound) {
        return new ResourceBound(
                felt(bound.path(0)).toBigInteger(), felt(bound.path(1)).toBigInteger());
    }
}
