package io.weir.pipeline.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hash32;
import io.weir.pipeline.send.Sending.SendVerdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SendVerdictTest {

    private static final Hash32 HASH = Hash32.fromHex("0x" + "1a".repeat(32));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "already known|KNOWN",
                "known transaction: 1a1a|KNOWN",
                "AlreadyKnown|KNOWN",
                "AlreadyKnown, the transaction is in the pool|KNOWN",
                "Known transaction|KNOWN",
                "transaction already imported|KNOWN",
                "Transaction with the same hash was already imported.|KNOWN",
                "tx already in mempool|KNOWN",
                "Known transaction: HASH|KNOWN",
                "Known transaction: OTHER|TAKEN",
                "nonce too low|TAKEN",
                "nonce too low: next nonce 5, tx nonce 4|TAKEN",
                "Nonce too low. Expected nonce to be 1 but got 0.|TAKEN",
                "NonceTooLow|TAKEN",
                "OldNonce, current nonce 3|TAKEN",
                "Transaction nonce is too low. Try incrementing the nonce.|TAKEN",
                "replacement transaction underpriced|TAKEN",
                "ReplacementNotAllowed|TAKEN",
                "unknown transaction type|REFUSED",
                "nonce too high|REFUSED",
                "insufficient funds for gas * price + value|REFUSED",
                "transaction underpriced|REFUSED",
                "intrinsic gas too low|REFUSED",
                "invalid sender|REFUSED",
            })
    void theWordsOfEachNodeAreUnderstood(String message, SendVerdict verdict) {
        String said = message.replace(
                        "HASH", HASH.hex().toUpperCase(java.util.Locale.ROOT).replace("0X", "0x"))
                .replace("OTHER", "0x" + "2b".repeat(32));
        assertThat(SendVerdict.of(said, HASH)).isEqualTo(verdict);
    }
}
