package io.weir.pipeline.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.pipeline.send.AcceptedTransactions.Accepted;
import io.weir.pipeline.send.SendStage.PendingForm;
import io.weir.verify.ChainFamily;
import io.weir.verify.TransactionProof;
import io.weir.verify.Verification;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PendingFormTest {

    private static final BigInteger KEY = BigInteger.valueOf(7);
    private static final Hash32 KEY_OF_STORAGE = Hash32.fromHex("0x01" + "22".repeat(31));

    private static JsonNode form(Transaction transaction) {
        Accepted accepted =
                new Accepted(transaction.hash(), transaction, transaction.sender(), "a", 0, 0, -1, 0, false);
        return new JsonMapper().readTree(PendingForm.of(accepted).toString());
    }

    private static Transaction of(TransactionType type) {
        Address contract = Address.ofHash(KEY_OF_STORAGE);
        TransactionBuilder builder = Transaction.builder(type)
                .chainId(BigInteger.ONE)
                .nonce(-1)
                .gas(-2)
                .to(contract)
                .value(BigInteger.TEN.pow(30))
                .input(Bytes.fromHex("0x00ff"));
        if (type != TransactionType.LEGACY) {
            builder.accessList(List.of(
                    new AccessListEntry(contract, List.of(KEY_OF_STORAGE, Hash32.ZERO)),
                    new AccessListEntry(Address.ZERO, List.of())));
        }
        if (type.hasDynamicFee()) {
            builder.maxFeePerGas(BigInteger.TEN).maxPriorityFeePerGas(BigInteger.ZERO);
        } else {
            builder.gasPrice(BigInteger.TEN);
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(BigInteger.TWO).blobVersionedHashes(List.of(KEY_OF_STORAGE, KEY_OF_STORAGE));
        }
        if (type == TransactionType.SET_CODE) {
            builder.authorizationList(List.of(
                    Authorization.sign(BigInteger.ZERO, contract, 3, KEY),
                    new Authorization(BigInteger.TEN, contract, -1, 255, BigInteger.ONE, BigInteger.ZERO)));
        }
        return builder.build().sign(KEY);
    }

    @ParameterizedTest
    @EnumSource
    void theHashProvesEveryField(TransactionType type) {
        Transaction transaction = of(type);
        JsonNode form = form(transaction);
        assertThat(TransactionProof.check(form, transaction.hash(), ChainFamily.ETHEREUM))
                .isInstanceOf(Verification.Proven.class);
        assertThat(form.path("gasPrice").asString()).isEqualTo("0xa");
        assertThat(form.path("blockHash").isNull()).isTrue();
        assertThat(form.path("blockNumber").isNull()).isTrue();
        assertThat(form.path("transactionIndex").isNull()).isTrue();
    }

    @Test
    void aCreationHasNoReceiver() {
        JsonNode form = form(Transaction.builder(TransactionType.LEGACY)
                .gasPrice(BigInteger.ONE)
                .value(BigInteger.ZERO)
                .input(Bytes.EMPTY)
                .build()
                .sign(KEY));
        assertThat(form.path("to").isNull()).isTrue();
        assertThat(form.has("chainId")).isFalse();
        assertThat(form.path("v").asString()).isIn("0x1b", "0x1c");
    }
}
