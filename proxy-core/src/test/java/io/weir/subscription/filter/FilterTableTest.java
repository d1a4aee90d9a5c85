package io.weir.subscription.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.access.Holding;
import io.weir.access.TestAccounts;
import io.weir.access.TestCaller;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Filters that a reload ends: their key is bound to other contracts, or nobody asks for them any more. */
class FilterTableTest {

    private static final RateConfig NO_RATE = new RateConfig(0, 0, false);
    private static final String SHA256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";

    private final Meters meters = new Meters(new MetricRegistry());
    private final FilterTable table = new FilterTable(new FilterConfig(1), meters, "net", FilterTable.IDLE);

    private final HandSource source = new HandSource();

    private StreamFilter filter(Holding holding) {
        ChangeJournal journal = new ChangeJournal(1_000, System::nanoTime);
        StreamFilter filter = new StreamFilter(StreamFilter.Request.blocks(null), journal, source, holding);
        source.join(filter, 0, refusal -> journal.open(filter));
        return filter;
    }

    private static Caller boundTo(String... contracts) {
        BoundConfig bounds = new BoundConfig(Set.of(), List.of(), Set.of(contracts), 0, null);
        KeyConfig key = new KeyConfig(SHA256, Set.of("*"), Set.of("*"), true, Unverifiable.PASS, NO_RATE, bounds);
        HashedKeyRing keys =
                HashedKeyRing.of(new AccessConfig(false, NO_RATE, Map.of("shop", key)), TestAccounts.create());
        return Objects.requireNonNull(keys.find("demo"));
    }

    private static String contract(int number) {
        return "0x" + Integer.toString(number).repeat(40);
    }

    private String open(Caller caller) {
        Holding holding = new Holding(caller, null);
        assertThat(table.reserve(holding)).isNull();
        return table.add(filter(holding));
    }

    @Test
    void aFilterGoesOnWhileTheContractsOfItsKeyAreTheSame() {
        String id = open(boundTo(contract(1), contract(2)));

        assertThat(table.find(id, boundTo(contract(2), contract(1)))).isNotNull();
        assertThat(table.find(id, boundTo(contract(1), contract(2)).fresh())).isNotNull();
    }

    @Test
    void aFilterEndsOnceItsKeyMayReachOtherContracts() {
        String id = open(boundTo());

        assertThat(table.find(id, boundTo(contract(1)))).isNull();
        assertThat(table.find(id, boundTo())).as("it is gone").isNull();
        assertThat(meters.counter(Meter.FILTERS_ENDED, "net", "revoked").getCount())
                .isEqualTo(1);
        assertThat(table.reserve(new Holding(boundTo(), null)))
                .as("its position is free")
                .isNull();
    }

    private static Holding of(String caller, String client) {
        return new Holding(TestCaller.of(caller, null), new InetSocketAddress(client, 1).getAddress());
    }

    @Test
    void callersWithoutAKeyHaveTheFiltersOfTheirAddressAndOneOfThemLeavesSomeToOthers() {
        FilterTable shared = new FilterTable(18, new FilterConfig(16), meters, "other", FilterTable.IDLE);
        List<Holding> first = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            first.add(of(Caller.ANONYMOUS, "192.0.2.1"));
            assertThat(shared.reserve(first.get(i))).isNull();
        }
        assertRefused(
                shared.reserve(of(Caller.ANONYMOUS, "192.0.2.1")),
                "filters of this key are open (expected: at most 16)");
        Holding second = of(Caller.ANONYMOUS, "192.0.2.2");
        assertThat(shared.reserve(second)).isNull();
        first.remove(0).close();
        Holding third = of("shop", "192.0.2.1");
        assertThat(shared.reserve(third)).isNull();
        assertRefused(
                shared.reserve(of(Caller.ANONYMOUS, "192.0.2.1")),
                "too many filters are open (expected: at most the caller's share of 18)");
    }

    private static void assertRefused(RpcReply.@Nullable Failure failure, String message) {
        assertThat(failure).isNotNull();
        assertThat(failure.error().message()).endsWith(message);
    }

    /** The network of the table was replaced: no call and no gauge reaches it any more. */
    @Test
    void anIdleFilterEndsAlthoughNobodyAsksTheTable() throws Exception {
        FilterTable left = new FilterTable(new FilterConfig(1), meters, "left", Duration.ofMillis(1));
        CountDownLatch ended = new CountDownLatch(1);
        Holding holding = new Holding(boundTo(), null);
        assertThat(left.reserve(holding)).isNull();
        StreamFilter filter = new StreamFilter(
                StreamFilter.Request.blocks(null),
                new ChangeJournal(1_000, System::nanoTime),
                new EventSource() {
                    @Override
                    public void join(
                            StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {}

                    @Override
                    public void leave(StreamMember member) {
                        ended.countDown();
                    }
                },
                holding);
        left.add(filter);
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(meters.counter(Meter.FILTERS_ENDED, "left", "idle").getCount())
                .isEqualTo(1);
    }
}
