package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Holds the readers of envelopes against Jackson on whatever bytes. Without more said the kept seeds are run; with {@code
 * JAZZER_FUZZ=1} in the environment and one method chosen, new ones are looked for.
 */
class EnvelopeFuzzTest {

    private static final int MAX_BYTES = 1 << 14;

    private final RequestAgreement requests = new RequestAgreement();
    private final ReplyAgreement replies = new ReplyAgreement();

    @FuzzTest(maxDuration = "15s")
    void aRequestIsReadAsJacksonReadsIt(byte[] text) {
        if (text.length <= MAX_BYTES) {
            requests.check(text, new String(text, ISO_8859_1));
        }
    }

    @FuzzTest(maxDuration = "15s")
    void aReplyIsReadAsJacksonReadsItAndStandsInAnotherEnvelope(byte[] text) {
        if (text.length <= MAX_BYTES) {
            replies.check(text, new String(text, ISO_8859_1));
        }
    }
}
