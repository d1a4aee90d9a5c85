package io.weir.l2.oracle;

import static io.weir.l2.oracle.OracleTest.felt;
import static io.weir.l2.oracle.OracleTest.felts;
import static io.weir.l2.oracle.OracleTest.theirs;
import static org.assertj.core.api.Assertions.assertThat;

import com.swmansion.starknet.data.ContractAddressCalculator;
import com.swmansion.starknet.data.TransactionHashCalculator;
import com.swmansion.starknet.data.types.DAMode;
import com.swmansion.starknet.data.types.ResourceBoundsMapping;
import com.swmansion.starknet.data.types.StarknetChainId;
import com.swmansion.starknet.data.types.TransactionVersion;
import com.swmansion.starknet.data.types.Uint128;
import com.swmansion.starknet.data.types.Uint64;
import io.weir.l2.Address;
import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.DataAvailability;
import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.l2.transaction.TransactionFields;
import io.weir.l2.transaction.TransactionHash;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Addresses and transaction hashes against starknet-jvm, which knows the rule over three resources alone. */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the oracle has native code for Linux and macOS alone")
class OracleTransactionTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void addressesAreTheSame() {
        for (int round = 0; round < 20; round++) {
            Felt classHash = felt(random);
            Felt salt = felt(random);
            List<Felt> calldata = felts(random, round % 5);
            Felt address = ContractAddress.ofAccount(classHash, salt, calldata);
            assertThat(address.toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(ContractAddressCalculator.calculateAddressFromHash(
                                    theirs(classHash), theirs(calldata), theirs(salt))
                            .getValue());
            assertThat(Address.checksummed(address))
                    .as("seed %d", seed)
                    .isEqualTo(ContractAddressCalculator.calculateChecksumAddress(theirs(address)));
        }
    }

    @Test
    void invocationsHaveTheSameHashes() {
        for (int round = 0; round < 20; round++) {
            TransactionFields fields = fields();
            Felt sender = felt(random);
            List<Felt> calldata = felts(random, round % 7);
            List<Felt> deployment = felts(random, round % 2);
            assertThat(TransactionHash.ofInvoke(fields, sender, deployment, calldata)
                            .toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(TransactionHashCalculator.calculateInvokeTxV3Hash(
                                    theirs(sender),
                                    theirs(calldata),
                                    new StarknetChainId(theirs(fields.chainId())),
                                    version(fields),
                                    theirs(fields.nonce()),
                                    new Uint64(fields.tip()),
                                    bounds(fields),
                                    theirs(fields.paymasterData()),
                                    theirs(deployment),
                                    DAMode.valueOf(fields.feeMode().name()),
                                    DAMode.valueOf(fields.nonceMode().name()),
                                    List.of())
                            .getValue());
        }
    }

    @Test
    void deploymentsHaveTheSameHashes() {
        for (int round = 0; round < 20; round++) {
            TransactionFields fields = fields();
            Felt classHash = felt(random);
            Felt salt = felt(random);
            List<Felt> calldata = felts(random, round % 4);
            assertThat(TransactionHash.ofDeployAccount(fields, classHash, salt, calldata)
                            .toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(TransactionHashCalculator.calculateDeployAccountV3TxHash(
                                    theirs(classHash),
                                    theirs(calldata),
                                    theirs(salt),
                                    theirs(fields.paymasterData()),
                                    new StarknetChainId(theirs(fields.chainId())),
                                    version(fields),
                                    theirs(fields.nonce()),
                                    new Uint64(fields.tip()),
                                    bounds(fields),
                                    DAMode.valueOf(fields.feeMode().name()),
                                    DAMode.valueOf(fields.nonceMode().name()))
                            .getValue());
        }
    }

    private TransactionFields fields() {
        return new TransactionFields(
                felt(random),
                felt(random),
                new BigInteger(64, random),
                new ResourceBounds(bound(), bound(), bound()),
                felts(random, random.nextInt(3)),
                mode(),
                mode(),
                random.nextBoolean());
    }

    private ResourceBound bound() {
        return new ResourceBound(new BigInteger(64, random), new BigInteger(128, random));
    }

    private DataAvailability mode() {
        return random.nextBoolean() ? DataAvailability.L1 : DataAvailability.L2;
    }

    private static TransactionVersion version(TransactionFields fields) {
        return fields.queryOnly() ? TransactionVersion.V3_QUERY : TransactionVersion.V3;
    }

    private static ResourceBoundsMapping bounds(TransactionFields fields) {
        ResourceBounds bounds = fields.resourceBounds();
        return new ResourceBoundsMapping(
                bound(bounds.l1Gas()), bound(Objects.requireNonNull(bounds.l1DataGas())), bound(bounds.l2Gas()));
    }

    private static com.swmansion.starknet.data.types.ResourceBounds bound(ResourceBound bound) {
        return new com.swmansion.starknet.data.types.ResourceBounds(
                new Uint64(bound.maxAmount()), new Uint128(bound.maxPricePerUnit()));
    }
}
