package io.weir.pipeline.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.pipeline.range.RangeRefusal.Reason;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of nodes and vendors about ranges that are too large. */
class RangeRefusalTest {

    private static final RpcCall CALL = new RpcCall(RawJson.NULL, "eth_getLogs", RawJson.of("[{}]"));
    private static final BlockRange ASKED = new BlockRange(500, 100_499);

    private static RangeRefusal refusal(int code, String message, BlockRange asked) {
        return RangeRefusal.of(LogNode.error(CALL, new RpcError(code, message, null)), asked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-32005 | query returned more than 10000 results. Try with this block range [0x1f4, 0x9f3]. | RESULTS | 2048",
                "-32005 | query returned more than 10000 results | RESULTS | 50000",
                "-32602 | Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on"
                        + " the response size, or you can request any block range with a cap of 10K logs in the response. Based on"
                        + " your parameters and the response size limit, this block range should work: [0x1f4, 0x5f3] | RESULTS | 1024",
                "-32602 | query exceeds max results 20000, retry with the range 500-700 | RESULTS | 50000",
                "-32000 | query timeout exceeded | RESULTS | 50000",
                "-32003 | response too large | RESULTS | 50000",
                "-32008 | Response is too big | RESULTS | 50000",
                "-32000 | logs matched by query exceeds limit of 10000 | RESULTS | 50000",
                "-32600 | block range is too wide | BLOCKS | 50000",
                "-32000 | exceed maximum block range: 2000 | BLOCKS | 2000",
                "-32614 | eth_getLogs is limited to a 10,000 range | BLOCKS | 10000",
                "-32614 | eth_getLogs and eth_newFilter are limited to a 10,000 blocks range | BLOCKS | 10000",
                "-32000 | Block range is too large | BLOCKS | 50000",
                "-32000 | range is too large, max is 1k blocks | BLOCKS | 1000",
                "-32000 | requested too many blocks from 500 to 100499, maximum is set to 2048 | BLOCKS | 2048",
                "-32000 | block range 99999 exceeds limit of 5_000. Upgrade. | BLOCKS | 5000",
                "-32602 | query exceeds max block range 100000 | BLOCKS | 50000",
                "-32005 | exceed max block range 800, got 100000 | BLOCKS | 800",
                "-32005 | limit exceeded | UNKNOWN | 50000",
                "-32614 | no | UNKNOWN | 50000",
            })
    void theWordsOfVendorsAreUnderstood(int code, String message, Reason reason, long length) {
        assertThat(refusal(code, message, ASKED)).isEqualTo(new RangeRefusal(reason, length));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exceed max addresses or topics per search position",
                "batch too large",
                "header not found",
                "invalid block range params",
                "execution reverted"
            })
    void anErrorThatAShorterRangeWouldGetTooIsNoRefusalOfTheRange(String message) {
        assertThat(refusal(-32000, message, ASKED)).isNull();
    }

    @Test
    void aStatusWithoutWordsIsARefusalAndAnotherFailureIsNone() {
        NodeOutcome tooLarge = new Failed(Fault.CALL_TOO_LARGE, Executed.NO, "413", 0);
        assertThat(RangeRefusal.of(tooLarge, ASKED)).isEqualTo(new RangeRefusal(Reason.UNKNOWN, 50_000));
        assertThat(RangeRefusal.of(new Failed(Fault.TIMEOUT, Executed.MAYBE, "late", 0), ASKED))
                .isNull();
    }

    /** Limits are round numbers most often, so that few lengths are tried before one fits exactly. */
    @ParameterizedTest
    @CsvSource({
        "100000,50000",
        "50000,25000",
        "25000,20000",
        "20000,10000",
        "10000,5000",
        "5000,2500",
        "2500,2000",
        "2000,1000",
        "1001,1000",
        "3,2",
        "2,1",
        "20001,20000",
        "7,5"
    })
    void theNextLengthIsRoundAndAtLeastHalf(long refused, long next) {
        BlockRange asked = new BlockRange(10, 9 + refused);
        assertThat(refusal(-32000, "block range is too wide", asked).length()).isEqualTo(next);
    }

    @Test
    void aRefusalAlwaysLeavesAShorterLengthAndNeverLessThanHalfWithoutANumber() {
        for (long refused = 2; refused < 5_000; refused++) {
            long next = refusal(-32000, "range is too wide", new BlockRange(0, refused - 1))
                    .length();
            assertThat(next).isLessThan(refused).isGreaterThanOrEqualTo(Math.max(1, refused / 2));
        }
    }
}
