package io.weir.ethereum.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkFormTest {

    private static final byte[] BLOB = new byte[131_072];
    private static final byte[] HASHED = blobTransaction();

    @Test
    void aBlobTransactionAsItStandsInABlockStaysAsItIs() {
        assertThat(NetworkForm.withoutBlobs(HASHED)).isSameAs(HASHED);
    }

    @Test
    void blobsCommitmentsAndProofsAreLeftOut() {
        byte[] sent = sent(items -> items.nested(blobs -> blobs.bytes(BLOB).bytes(BLOB))
                .nested(commitments -> commitments.bytes(new byte[48]).bytes(new byte[48]))
                .nested(proofs -> proofs.bytes(new byte[48]).bytes(new byte[48])));
        assertThat(NetworkForm.withoutBlobs(sent)).isEqualTo(HASHED);
    }

    @Test
    void soAreAVersionAndCellProofs() {
        byte[] sent = sent(items -> items.unsigned(1)
                .nested(blobs -> blobs.bytes(BLOB))
                .nested(commitments -> commitments.bytes(new byte[48]))
                .nested(proofs -> {
                    for (int i = 0; i < 128; i++) {
                        proofs.bytes(new byte[48]);
                    }
                }));
        assertThat(NetworkForm.withoutBlobs(sent)).isEqualTo(HASHED);
    }

    @Test
    void aBlobTransactionWithLessOrMoreIsNone() {
        assertThatThrownBy(() -> NetworkForm.withoutBlobs(sent(items -> items.nested(blobs -> {}))))
                .isInstanceOf(RlpException.class);
        assertThatThrownBy(() -> NetworkForm.withoutBlobs(sent(items -> items.nested(blobs -> {})
                        .nested(commitments -> {})
                        .nested(proofs -> {})
                        .nested(more -> {}))))
                .isInstanceOf(RlpException.class);
        assertThatThrownBy(() -> NetworkForm.withoutBlobs(Arrays.copyOf(HASHED, HASHED.length + 1)))
                .isInstanceOf(RlpException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x", "0x02c0", "0x7ec0", "0xc0", "0x00"})
    void everythingElseIsNotLookedAt(String hex) {
        byte[] bytes = Bytes.fromHex(hex).toArray();
        assertThat(NetworkForm.withoutBlobs(bytes)).isSameAs(bytes);
    }

    private static byte[] sent(Consumer<RlpWriter> sidecar) {
        byte[] list = RlpWriter.list(items -> {
            items.encoded(Arrays.copyOfRange(HASHED, 1, HASHED.length));
            sidecar.accept(items);
        });
        byte[] sent = new byte[list.length + 1];
        sent[0] = 3;
        System.arraycopy(list, 0, sent, 1, list.length);
        return sent;
    }

    private static byte[] blobTransaction() {
        return Transaction.builder(TransactionType.BLOB)
                .chainId(1)
                .maxPriorityFeePerGas(BigInteger.ONE)
                .maxFeePerGas(BigInteger.TEN)
                .gas(21_000)
                .to(new Address(Bytes.wrap(new byte[20])))
                .maxFeePerBlobGas(BigInteger.ONE)
                .blobVersionedHashes(List.of(Hash32.fromHex("0x01" + "22".repeat(31))))
                .build()
                .sign(BigInteger.TWO)
                .encoded();
    }
}
