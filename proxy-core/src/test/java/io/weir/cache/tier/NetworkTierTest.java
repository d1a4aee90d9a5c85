package io.weir.cache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.weir.cache.tier.EntryCodec.BadEntryException;
import io.weir.cache.tier.NetworkTier.Parcel;
import io.weir.cache.tier.NetworkTier.Wanted;
import io.weir.cache.tier.Tier.TierMeters.Lookup;
import io.weir.cache.tier.Tier.TierMeters.Store;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.Meters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NetworkTierTest {

    private static final String METHOD = "eth_getBlockByHash";

    private final HandTier hand = new HandTier();
    private final HandChain chain = new HandChain();
    private final Tier tier = new Tier(
            hand,
            new EntryCodec(100, 1 << 20),
            new Tier.Bounds(1_000_000, 3, 10, 1 << 20),
            new Meters(new MetricRegistry()));
    private NetworkTier network = new NetworkTier(tier, "net", "ethereum:1", chain, System::nanoTime);

    @AfterEach
    void close() {
        tier.close();
    }

    private void own() {
        hand.shared = false;
        network = restarted();
    }

    private List<Parcel> find(int call, long number) {
        List<Parcel> delivered = new ArrayList<>();
        network.find(new Wanted(METHOD, params(call), number), -1, delivered::add);
        return delivered;
    }

    private static RawJson params(int call) {
        return RawJson.of("[" + call + "]");
    }

    private void store(int call) {
        long before = tier.meters().of(Store.STORED);
        network.offer(new TierEntry(METHOD, params(call), RawJson.of("\"kept\""), 7, null, 0), () -> true);
        await().until(() -> tier.meters().of(Store.STORED) > before);
    }

    @Test
    void aStoredEntryIsFoundUntilItIsPurged() throws BadEntryException {
        store(1);
        Parcel parcel = find(1, 7).get(0);
        assertThat(parcel.open().value()).hasToString("\"kept\"");
        assertThat(find(2, 7)).containsExactly((Parcel) null);
        network.renew(done -> {});
        assertThat(find(1, 7)).containsExactly((Parcel) null);
    }

    /** The tier as a process that starts now sees it. */
    private NetworkTier restarted() {
        return new NetworkTier(tier, "net", "ethereum:1", chain, System::nanoTime);
    }

    private TierEntry read(NetworkTier by, int call) throws BadEntryException {
        List<Parcel> delivered = new ArrayList<>();
        by.find(new Wanted(METHOD, params(call), 7), -1, delivered::add);
        return delivered.get(0).open();
    }

    @Test
    void unprovenEntriesOfTheProxysOwnTierCountUntilANodeIsCaught() throws BadEntryException {
        own();
        store(1);
        assertThat(network.trusts(read(network, 1))).isTrue();
        assertThat(restarted().trusts(read(network, 1))).as("not read yet").isFalse();
        NetworkTier next = restarted();
        assertThat(next.trusts(read(next, 1))).isTrue();

        network.abandonUnproven();
        store(2);
        assertThat(network.trusts(read(network, 1))).isFalse();
        assertThat(network.trusts(read(network, 2))).isTrue();
        NetworkTier last = restarted();
        assertThat(last.trusts(read(last, 1))).isFalse();
        assertThat(last.trusts(read(last, 2))).isTrue();
    }

    @Test
    void aNodeThatIsCaughtBeforeTheTierIsUsedCountsToo() throws BadEntryException {
        own();
        store(1);
        NetworkTier next = restarted();
        next.abandonUnproven();
        assertThat(next.trusts(read(next, 1))).isFalse();
    }

    @Test
    void unprovenEntriesDoNotCountWhileTheTierCannotForgetThem() throws BadEntryException {
        own();
        store(1);
        TierEntry entry = read(network, 1);
        hand.failing = true;
        network.abandonUnproven();
        assertThat(network.trusts(entry)).isFalse();
        assertThat(find(1, 7)).containsExactly((Parcel) null);
    }

    @Test
    void noEntryOfASharedTierCountsWithoutAProof() throws BadEntryException {
        store(1);
        assertThat(network.trusts(read(network, 1))).isFalse();
        network.abandonUnproven();
        assertThat(read(network, 1)).isNotNull();
    }

    @Test
    void anAnswerToACallBeforeAPurgeIsNotStoredAfterIt() {
        network.offer(new TierEntry(METHOD, params(1), RawJson.of("1"), 7, null, 0), () -> false);
        assertThat(tier.meters().of(Store.DROPPED)).isOne();
        assertThat(find(1, 7)).containsExactly((Parcel) null);
    }

    @Test
    void aBlockThatIsNotFinalIsNotLookedUp() {
        find(1, chain.height);
        assertThat(hand.asked).isOne();
        find(1, chain.height + 1);
        assertThat(hand.asked).isOne();
        network.find(new Wanted(METHOD, params(1), chain.height + 1), chain.height + 1, parcel -> {});
        assertThat(hand.asked).isEqualTo(2);
    }

    @Test
    void resultsNearTheHeadAreRarelyLookedUpAfterManyMisses() throws BadEntryException {
        store(0);
        for (int call = 1; call <= 640; call++) {
            find(call, -1);
        }
        assertThat(hand.asked).isBetween(64, 64 + 640 / 16);
        int before = hand.asked;
        while (find(0, -1).get(0) == null) {
            assertThat(hand.asked - before).isLessThan(2);
        }
        find(1, -1);
        find(2, -1);
        assertThat(hand.asked).as("it was there once").isEqualTo(before + 3);
    }

    @Test
    void resultsOfTheFirstBlockAreLookedUpAfterManyMissesToo() {
        for (int call = 0; call < 640; call++) {
            find(call, -1);
        }
        int before = hand.asked;
        for (int call = 0; call < 8; call++) {
            find(call, 0);
        }
        assertThat(hand.asked - before).isEqualTo(8);
    }

    @Test
    void lookupsInFlightAreBounded() {
        find(0, 7);
        hand.holding = true;
        List<List<Parcel>> delivered = new ArrayList<>();
        for (int call = 1; call <= 5; call++) {
            delivered.add(find(call, 7));
        }
        assertThat(hand.held).hasSize(3);
        assertThat(delivered.get(3)).containsExactly((Parcel) null);
        assertThat(delivered.get(0)).isEmpty();
        assertThat(tier.meters().of(Lookup.SKIPPED)).isEqualTo(2);
        hand.held.forEach(Runnable::run);
        assertThat(delivered.get(0)).containsExactly((Parcel) null);
        hand.holding = false;
        assertThat(find(6, 7)).containsExactly((Parcel) null);
        assertThat(tier.meters().of(Lookup.MISS)).isEqualTo(5);
    }
}
