package io.weir.pipeline.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccounts;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.MethodCosts;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.RequestAnswer;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.budget.UnitLedger;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units that a key may use on one day: a gas price costs 1, a call costs 5. */
class KeyQuotaTest {

    private static final RateConfig NO_LIMIT = new RateConfig(0, 0, false);
    private static final Instant EVENING = Instant.parse("2026-03-01T23:58:00Z");

    private static final RequestItem INVALID = new RequestItem.Invalid(RawJson.NULL, ErrorCode.INVALID_REQUEST.error());

    private final AtomicLong wall = new AtomicLong(EVENING.toEpochMilli());
    private final Fixture fixture = new Fixture();
    private final Meters meters = new Meters(fixture.registry);
    private final KeyAccounts accounts = new KeyAccounts(meters, UnitLedger.inMemory(wall::get));

    @BeforeEach
    void answerAll() {
        fixture.pool.node(
                "a", Collections.nCopies(200, FakePool.result("\"0x1\"")).toArray(new NodeOutcome[0]));
    }

    private Caller caller(long perDay, RateConfig rate) {
        KeyConfig key = new KeyConfig(
                "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea",
                Set.of("*"),
                Set.of("*"),
                false,
                Unverifiable.PASS,
                rate,
                new BoundConfig(Set.of(), List.of(), Set.of(), perDay, null));
        return requireNonNull(HashedKeyRing.of(new AccessConfig(false, NO_LIMIT, Map.of("shop", key)), accounts)
                .find("demo"));
    }

    private RpcReply.@Nullable Failure refusal(Caller caller, RequestItem... calls) {
        RequestBody body = calls.length == 1 ? calls[0] : new RequestBody.Batch(List.of(calls));
        RequestAnswer answer = fixture.run(body, caller).get(0);
        return answer instanceof RequestAnswer.Refused refused ? refused.failure() : null;
    }

    private static RequestItem gasPrice() {
        return Fixture.call("1", "eth_gasPrice");
    }

    private static RequestItem ethCall() {
        return Fixture.call("1", "eth_call");
    }

    @Test
    void callsCostTheirUnitsUntilTheDayIsSpent() {
        Caller caller = caller(12, NO_LIMIT);
        assertThat(refusal(caller, ethCall(), gasPrice(), ethCall())).isNull();
        RpcReply.Failure failure = requireNonNull(refusal(caller, ethCall()));
        assertThat(failure.error().code()).isEqualTo(-32005);
        assertThat(failure.kind()).isEqualTo(FailureKind.RATE_LIMITED);
        assertThat(failure.retryAfterSeconds()).isBetween(120, 121);
        assertThat(failure.error().message()).contains("units of today");
        assertThat(String.valueOf(failure.error().data())).isEqualTo("{\"unitsPerDay\":12}");
        assertThat(refusal(caller, gasPrice())).isNull();
        assertThat(refusal(caller, gasPrice())).isNotNull();
        assertThat(meters.counter(Meter.KEY_REFUSALS, "shop", "units").getCount())
                .isEqualTo(2);
        wall.addAndGet(120_000);
        assertThat(refusal(caller, ethCall(), ethCall())).isNull();
    }

    @Test
    void aBatchThatNoDayCanPayForIsToldSo() {
        RpcReply.Failure failure = requireNonNull(refusal(caller(9, NO_LIMIT), ethCall(), ethCall()));
        assertThat(failure.error().code()).isEqualTo(-32600);
        assertThat(failure.retryAfterSeconds()).isZero();
        assertThat(failure.error().message()).contains("10 units", "9 of this api key's day");
    }

    @Test
    void anotherConfigurationGoesOnWithTheDay() {
        assertThat(refusal(caller(5, NO_LIMIT), ethCall())).isNull();
        assertThat(refusal(caller(5, NO_LIMIT), gasPrice())).isNotNull();
        assertThat(refusal(caller(6, NO_LIMIT), gasPrice())).isNull();
        assertThat(refusal(caller(0, NO_LIMIT), ethCall())).isNull();
    }

    @Test
    void invalidElementsOfABatchCostAUnitEach() {
        Caller caller = caller(3, NO_LIMIT);
        assertThat(refusal(caller, INVALID, gasPrice(), INVALID)).isNull();
        assertThat(refusal(caller, gasPrice())).isNotNull();
    }

    @Test
    void theCostsOfAKeyCountInItsDayInItsRateAndOnItsBill() {
        MethodCosts costs = new MethodCosts(-1, Map.of("eth_gasPrice", 40L, "foreign_call", 7L), Map.of());
        Caller caller = caller(100, new RateConfig(1, 60, true, costs));
        assertThat(refusal(caller, gasPrice(), ethCall(), Fixture.call("2", "foreign_call")))
                .isNull();
        assertThat(requireNonNull(caller.bounds().quota()).day().used()).isEqualTo(40 + 5 + 7);
        assertThat(billed("eth_gasPrice")).isEqualTo(40);
        assertThat(billed("eth_call")).isEqualTo(5);
        assertThat(billed("other")).isEqualTo(7);

        assertThat(refusal(caller, gasPrice())).isNotNull();
        assertThat(meters.counter(Meter.KEY_REFUSALS, "shop", "rate").getCount())
                .isEqualTo(1);
    }

    private long billed(String method) {
        return meters.counter(Meter.KEY_UNITS, Fixture.NETWORK.name(), "shop", method)
                .getCount();
    }

    @Test
    void aMethodThatCostsNothingIsServedAfterTheLastUnit() {
        MethodCosts costs = new MethodCosts(1, Map.of("eth_gasPrice", 0L), Map.of());
        Caller caller = caller(1, new RateConfig(1, 1, true, costs));
        assertThat(refusal(caller, ethCall())).isNull();
        assertThat(refusal(caller, ethCall())).isNotNull();
        assertThat(refusal(caller, gasPrice())).isNull();
        assertThat(caller.admitMore(1, 0)).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void invalidElementsOfABatchCountAgainstTheRate(boolean weighted) {
        Caller caller = caller(0, new RateConfig(1, 2, weighted));
        RpcReply.Failure failure = requireNonNull(refusal(caller, INVALID, INVALID, INVALID));
        assertThat(failure.error().message()).startsWith(weighted ? "3 units (" : "3 calls (");
    }

    @Test
    void aCallThatTheDayRefusesCostsNothingOfTheRate() {
        Caller caller = caller(5, new RateConfig(1, 10, true));
        assertThat(refusal(caller, ethCall())).isNull();
        assertThat(refusal(caller, ethCall())).isNotNull();
        assertThat(caller.admitMore(1, 5)).isPositive();
        assertThat(requireNonNull(caller.rate()).admit(5)).isZero();
    }

    @Test
    void aCallThatTheRateRefusesCostsNothing() {
        Caller caller = caller(5, new RateConfig(1, 1, false));
        assertThat(refusal(caller, gasPrice())).isNull();
        assertThat(refusal(caller, gasPrice())).isNotNull();
        assertThat(meters.counter(Meter.KEY_REFUSALS, "shop", "rate").getCount())
                .isEqualTo(1);
        assertThat(requireNonNull(caller.bounds().quota()).day().used()).isEqualTo(1);
    }
}
