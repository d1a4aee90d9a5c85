package io.weir.pipeline.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SentTransactionTest {

    @ParameterizedTest
    @EnumSource(value = TransactionType.class, mode = EnumSource.Mode.EXCLUDE, names = "SET_CODE")
    void theHashOfEachTypeIsComputed(TransactionType type) {
        Transaction transaction = SignedTransactions.payment(type, 7);
        assertThat(SentTransaction.read(transaction.encoded()).hash()).isEqualTo(transaction.hash());
    }

    @Test
    void theSameTransactionWithOtherBlobsIsAnotherSend() {
        SentTransaction one = SentTransaction.read(withBlob(1));
        SentTransaction other = SentTransaction.read(withBlob(2));
        assertThat(one.hash())
                .isEqualTo(SignedTransactions.payment(TransactionType.BLOB, 7).hash())
                .isEqualTo(other.hash());
        assertThat(one).isNotEqualTo(other).isEqualTo(SentTransaction.read(withBlob(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x", "0x00", "0x05c0", "0x71c0", "0x02c0", "0xc0", "0x03c1c0", "0xdeadbeef"})
    void theHashOfWhatIsNoKnownTransactionIsNotGuessed(String hex) {
        assertThat(SentTransaction.read(Bytes.fromHex(hex).toArray())).isNull();
    }

    @Test
    void aDecodedTransactionHasTheHashOfItsOwnEncoding() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            TransactionType type = TransactionType.of(random.nextInt(4));
            byte[] bytes = i % 10 == 0 ? withBlob(i) : sample(type);
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            if (random.nextInt(5) == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 4));
            }
            SentTransaction transaction = SentTransaction.read(bytes);
            if (transaction != null) {
                read++;
                byte[] canonical = io.weir.ethereum.transaction.NetworkForm.withoutBlobs(bytes);
                assertThat(Hash32.keccak(Transaction.decode(canonical).encoded()))
                        .as("seed %d, %s", seed, Bytes.wrap(bytes))
                        .isEqualTo(transaction.hash());
            }
        }
        assertThat(read).as("seed %d", seed).isGreaterThan(1_000);
    }

    @Test
    void transactionsThatDifferInTheirBlobsAloneHaveDifferentHashCodes() {
        Set<Integer> hashCodes = new HashSet<>();
        Set<Hash32> hashes = new HashSet<>();
        for (int content = 0; content < 256; content++) {
            SentTransaction transaction = SentTransaction.read(withBlob(content));
            hashCodes.add(transaction.hashCode());
            hashes.add(transaction.hash());
        }
        assertThat(hashes).hasSize(1);
        assertThat(hashCodes).hasSizeGreaterThan(250);
    }

    private static final byte[][] SAMPLES = Arrays.stream(TransactionType.values())
            .filter(type -> type != TransactionType.SET_CODE)
            .map(type -> SignedTransactions.payment(type, 7).encoded())
            .toArray(byte[][]::new);

    private static byte[] sample(TransactionType type) {
        return SAMPLES[type.number()].clone();
    }

    private static byte[] withBlob(int content) {
        byte[] blob = new byte[200];
        Arrays.fill(blob, (byte) content);
        byte[] canonical = sample(TransactionType.BLOB);
        byte[] list = RlpWriter.list(items -> items.encoded(Arrays.copyOfRange(canonical, 1, canonical.length))
                .nested(blobs -> blobs.bytes(blob))
                .nested(commitments -> commitments.bytes(new byte[48]))
                .nested(proofs -> proofs.bytes(new byte[48])));
        byte[] sent = new byte[list.length + 1];
        sent[0] = 3;
        System.arraycopy(list, 0, sent, 1, list.length);
        return sent;
    }
}
