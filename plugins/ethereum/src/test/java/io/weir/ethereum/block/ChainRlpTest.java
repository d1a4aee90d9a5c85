package io.weir.ethereum.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.transaction.TransactionType;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A chain of every fork from Frontier to Prague, as its nodes exchange it. */
class ChainRlpTest {
    private final List<Block> chain = ChainVectors.chain();

    @Test
    void everyBlockIsWrittenAsItWasRead() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        chain.forEach(block -> written.writeBytes(block.rlp()));
        assertThat(chain).hasSize(54);
        assertThat(written.toByteArray()).isEqualTo(ChainVectors.chainRlp());
    }

    @Test
    void everyBlockNamesItsParent() {
        for (int i = 1; i < chain.size(); i++) {
            assertThat(chain.get(i).header().parentHash())
                    .isEqualTo(chain.get(i - 1).header().hash());
            assertThat(chain.get(i).header().number()).isEqualTo(i + 1);
        }
    }

    @Test
    void headersGrowWithTheForks() {
        Map<String, Integer> lastFields = new TreeMap<>();
        for (Block block : chain) {
            for (HeaderField field : HeaderField.values()) {
                if (block.header().has(field)) {
                    lastFields.merge(field.jsonName(), 1, Integer::sum);
                }
            }
        }
        assertThat(lastFields)
                .containsEntry("nonce", 54)
                .containsEntry("baseFeePerGas", 28)
                .containsEntry("withdrawalsRoot", 16)
                .containsEntry("parentBeaconBlockRoot", 13)
                .containsEntry("requestsHash", 10)
                .doesNotContainKey("slotNumber");
    }

    @Test
    void everyHeaderHoldsItsTransactions() {
        for (Block block : chain) {
            assertThat(BlockRoots.transactions(block.transactions()))
                    .isEqualTo(block.header().transactionsRoot());
        }
    }

    @Test
    void everyHeaderHoldsItsOmmers() {
        for (Block block : chain) {
            assertThat(BlockRoots.ommers(block.ommers()))
                    .isEqualTo(block.header().sha3Uncles());
        }
        assertThat(chain.stream().filter(block -> !block.ommers().isEmpty())).hasSize(18);
        assertThat(BlockRoots.NO_OMMERS)
                .isEqualTo(Hash32.fromHex("0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347"));
    }

    @Test
    void everyHeaderSinceShanghaiHoldsItsWithdrawals() {
        int checked = 0;
        for (Block block : chain) {
            List<Withdrawal> withdrawals = block.withdrawals();
            if (withdrawals == null) {
                assertThat(block.header().withdrawalsRoot()).isNull();
            } else {
                assertThat(BlockRoots.withdrawals(withdrawals))
                        .isEqualTo(block.header().withdrawalsRoot());
                checked += withdrawals.size();
            }
        }
        assertThat(checked).as("withdrawals in the chain").isPositive();
    }

    @Test
    void everyTypeOfTransactionIsThere() {
        Map<TransactionType, Integer> types = new EnumMap<>(TransactionType.class);
        chain.forEach(block -> block.transactions().forEach(each -> types.merge(each.type(), 1, Integer::sum)));
        assertThat(types)
                .containsEntry(TransactionType.LEGACY, 196)
                .containsEntry(TransactionType.ACCESS_LIST, 23)
                .containsEntry(TransactionType.DYNAMIC_FEE, 23)
                .containsEntry(TransactionType.BLOB, 6)
                .containsEntry(TransactionType.SET_CODE, 1);
    }

    @Test
    void aBlockCutOffAnywhereIsRefused() {
        byte[] block = chain.get(53).rlp();
        for (int length = 0; length < block.length; length++) {
            byte[] cut = Arrays.copyOf(block, length);
            assertThatExceptionOfType(RlpException.class)
                    .as("first %d bytes", length)
                    .isThrownBy(() -> Block.decode(cut));
        }
    }
}
