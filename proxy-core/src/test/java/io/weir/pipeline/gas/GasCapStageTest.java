package io.weir.pipeline.gas;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GasCapStageTest {

    private static final EventLoop LOOP = new EmbeddedChannel().eventLoop();

    private final KnownLimit head = new KnownLimit();
    private final Counter cuts = new Counter();
    private final List<String> passed = new ArrayList<>();
    private final GasCapStage stage = new GasCapStage(
            head,
            10,
            cuts,
            (context, sink) -> passed.add(context.call().params().toString()));

    @ParameterizedTest
    @CsvSource({
        "0x1, 0x1, 0",
        "0x12c, 0x12c, 0",
        // Ten times a limit of 1,000,000.
        "0x989680, 0x989680, 0",
        "0x989681, 0x989680, 1",
        "0xffffffffffffffff, 0x989680, 1",
    })
    void gasAboveTenTimesTheLimitIsReduced(String asked, String sent, long counted) {
        head.limit = 1_000_000;
        head.fresh = true;

        pass("[{\"gas\":\"" + asked + "\",\"data\":\"0x00\"},\"latest\"]");

        assertThat(passed).containsExactly("[{\"gas\":\"" + sent + "\",\"data\":\"0x00\"},\"latest\"]");
        assertThat(cuts.getCount()).isEqualTo(counted);
        assertThat(head.waiting).isEmpty();
    }

    @Test
    void withoutGasNoneIsAddedAndNoNodeIsAsked() {
        pass("[{\"data\":\"0x00\"},\"latest\"]");

        assertThat(passed).containsExactly("[{\"data\":\"0x00\"},\"latest\"]");
        assertThat(head.waiting).isEmpty();
    }

    @Test
    void gasBelowTheBoundOfAnyChainAsksNoNode() {
        pass("[{\"gas\":\"0xc350\"},\"latest\"]");

        assertThat(passed).hasSize(1);
        assertThat(head.waiting).isEmpty();
    }

    @Test
    void theFirstCallWaitsForTheLimit() {
        pass("[{\"gas\":\"0xffffffffff\"},\"latest\"]");
        assertThat(passed).isEmpty();

        head.limit = 1_000_000;
        head.waiting.remove(0).run();

        assertThat(passed).containsExactly("[{\"gas\":\"0x989680\"},\"latest\"]");
        assertThat(cuts.getCount()).isEqualTo(1);
    }

    @Test
    void aCallWithinTheLastKnownBoundContinuesWhileTheLimitIsRequested() {
        head.limit = 1_000_000;

        pass("[{\"gas\":\"0x989680\"},\"latest\"]");

        assertThat(passed).hasSize(1);
        assertThat(head.waiting).hasSize(1);
    }

    @Test
    void aCallAboveAnOldBoundWaitsForTheNewOne() {
        head.limit = 1_000_000;
        pass("[{\"gas\":\"0x1312d00\"},\"latest\"]");
        assertThat(passed).isEmpty();

        head.limit = 2_000_000;
        head.waiting.remove(0).run();

        assertThat(passed).containsExactly("[{\"gas\":\"0x1312d00\"},\"latest\"]");
        assertThat(cuts.getCount()).isZero();
    }

    @Test
    void ifTheLimitIsUnavailableGasStays() {
        pass("[{\"gas\":\"0xffffffffff\"},\"latest\"]");

        head.waiting.remove(0).run();

        assertThat(passed).containsExactly("[{\"gas\":\"0xffffffffff\"},\"latest\"]");
        assertThat(cuts.getCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"9223372036854775807", "-1", "2305843009213693952"})
    void aLimitTooLargeForTheFactorBoundsNothing(long limit) {
        head.limit = limit;
        head.fresh = true;

        pass("[{\"gas\":\"0xffffffffffffffff\"},\"latest\"]");

        assertThat(passed).containsExactly("[{\"gas\":\"0xffffffffffffffff\"},\"latest\"]");
    }

    private void pass(String params) {
        RpcCall call = new RpcCall(RawJson.of("1"), "eth_call", RawJson.of(params));
        CallContext context = new CallContext(call, Caller.PROXY, new NetworkId("test"), LOOP, 0, Long.MAX_VALUE);
        try {
            context.checked(
                    MethodCatalogue.ethereum().facts("eth_call").params().check(call.params()));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        stage.handle(context, (RpcReply reply) -> {});
    }

    private static final class KnownLimit implements GasCapStage.HeadGasLimit {
        private final List<Runnable> waiting = new ArrayList<>();
        private long limit;
        private boolean fresh;

        @Override
        public long last() {
            return limit;
        }

        @Override
        public boolean isFresh() {
            return fresh;
        }

        @Override
        public void refresh(EventLoop loop, Runnable then) {
            waiting.add(then);
        }
    }
}
