package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerFactsTest {

    private static final String A = "0x" + "aA".repeat(32);
    private static final String B = "0x" + "bb".repeat(32);

    private static AnswerFacts read(CacheClass rule, String json) {
        return AnswerFacts.read(rule, RawJson.of(json));
    }

    private static String inBlock(int index, String hash) {
        return "{\"transactionHash\":\"%s\",\"blockNumber\":\"0x5\",\"blockHash\":\"%s\",\"transactionIndex\":\"0x%x\"}"
                .formatted(B, hash, index);
    }

    @Test
    void aBlockNamesItselfAndItsParent() {
        String block =
                "{\"parentHash\":\"%s\",\"x\":[{\"hash\":1}],\"hash\":\"%s\",\"number\":\"0x10\"}".formatted(B, A);
        assertThat(read(CacheClass.BLOCK, block))
                .isEqualTo(new AnswerFacts(16, A.toLowerCase(java.util.Locale.ROOT), B, null, -1, (byte) 0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            []             | ]
            [ "0x1","0x2"] | "
            [ {}]          | {
            null           | u
            """)
    void aBlockShowsWhetherItsTransactionsAreWhole(String transactions, char first) {
        String block = "{\"parentHash\":\"%s\",\"transactions\":%s,\"hash\":\"%s\",\"number\":\"0x10\"}"
                .formatted(B, transactions, A);
        assertThat(Objects.requireNonNull(read(CacheClass.BLOCK, block)).ofTransactions())
                .isEqualTo((byte) first);
    }

    @Test
    void aPendingBlockOrTransactionSaysNothing() {
        assertThat(read(CacheClass.BLOCK, "{\"number\":\"0x1\",\"hash\":null,\"parentHash\":\"" + B + "\"}"))
                .isNull();
        assertThat(read(CacheClass.TRANSACTION, "{\"hash\":\"" + A + "\",\"blockNumber\":null,\"blockHash\":null}"))
                .isNull();
        assertThat(read(CacheClass.TRANSACTION, "{\"hash\":\"" + A + "\"}")).isNull();
    }

    @Test
    void aMemberThatIsThereTwiceSaysNothing() {
        String twice =
                "{\"number\":\"0x1\",\"hash\":\"%s\",\"ha\\u0073h\":\"%s\",\"parentHash\":\"%s\"}".formatted(A, B, B);
        assertThat(read(CacheClass.BLOCK, twice)).isNull();
    }

    @Test
    void allReceiptsAreOfOneBlockAndInOrder() {
        String good = "[" + inBlock(0, A) + "," + inBlock(1, A) + "]";
        assertThat(read(CacheClass.RECEIPTS, good))
                .extracting(AnswerFacts::number)
                .isEqualTo(5L);
        assertThat(read(CacheClass.RECEIPTS, "[" + inBlock(0, A) + "," + inBlock(1, B) + "]"))
                .isNull();
        assertThat(read(CacheClass.RECEIPTS, "[" + inBlock(0, A) + "," + inBlock(2, A) + "]"))
                .isNull();
        assertThat(read(CacheClass.RECEIPTS, "[" + inBlock(1, A) + "]")).isNull();
        assertThat(read(CacheClass.RECEIPTS, "[]")).isNull();
    }

    @Test
    void aValueThatIsNotAnObjectHasNoFacts() {
        assertThat(read(CacheClass.BLOCK, "\"0x1\"")).isNull();
        assertThat(read(CacheClass.RECEIPT, "[]")).isNull();
        assertThat(read(CacheClass.RECEIPTS, "[null]")).isNull();
    }
}
