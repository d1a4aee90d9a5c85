package io.weir.ethereum.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Quantity;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The receipts of all blocks, those with state roots from before Byzantium among them. */
class ChainReceiptsTest {
    private static List<Block> chain;
    private static List<List<Receipt>> receipts;

    @BeforeAll
    static void readReceipts() {
        chain = ChainVectors.chain();
        JsonNode json = ChainVectors.receipts();
        receipts = chain.stream()
                .map(block -> json.get(Quantity.encode(block.header().number())))
                .map(block -> JsonObjects.list(block, JsonObjects::receipt))
                .toList();
    }

    @Test
    void everyHeaderHoldsItsReceipts() {
        for (int i = 0; i < chain.size(); i++) {
            assertThat(BlockRoots.receipts(receipts.get(i)))
                    .as("block %d", i + 1)
                    .isEqualTo(chain.get(i).header().receiptsRoot());
        }
        assertThat(receipts.stream().mapToInt(List::size).sum()).isEqualTo(249);
    }

    @Test
    void aReceiptsBloomIsThatOfItsLogs() {
        for (List<Receipt> block : receipts) {
            for (Receipt receipt : block) {
                assertThat(Bloom.ofLogs(receipt.logs())).isEqualTo(receipt.bloom());
            }
        }
    }

    @Test
    void aHeadersBloomIsThatOfItsReceipts() {
        for (int i = 0; i < chain.size(); i++) {
            Bloom bloom = Bloom.ofReceipts(receipts.get(i));
            assertThat(bloom).isEqualTo(chain.get(i).header().logsBloom());
            assertThat(receipts.get(i).stream().map(Receipt::bloom).reduce(Bloom.EMPTY, Bloom::or))
                    .isEqualTo(bloom);
        }
    }

    @Test
    void theBloomKnowsEveryAddressAndTopicOfTheLogs() {
        for (int i = 0; i < chain.size(); i++) {
            Bloom bloom = chain.get(i).header().logsBloom();
            for (Receipt receipt : receipts.get(i)) {
                for (Log log : receipt.logs()) {
                    assertThat(bloom.contains(log.address())).isTrue();
                    assertThat(log.topics()).allMatch(bloom::contains);
                }
            }
        }
    }

    @Test
    void theLastReceiptHasAllTheGasOfTheBlock() {
        for (int i = 0; i < chain.size(); i++) {
            List<Receipt> block = receipts.get(i);
            assertThat(block.get(block.size() - 1).cumulativeGasUsed())
                    .isEqualTo(chain.get(i).header().gasUsed());
        }
    }

    @Test
    void aReceiptIsReadBackAsItWasWritten() {
        for (List<Receipt> block : receipts) {
            for (Receipt receipt : block) {
                assertThat(Receipt.decode(receipt.encoded())).isEqualTo(receipt);
            }
        }
    }
}
