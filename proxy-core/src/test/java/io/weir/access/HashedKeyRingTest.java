package io.weir.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.jsonrpc.NetworkId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HashedKeyRingTest {

    private static final String SHA256_OF_DEMO = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";
    private static final RateConfig NO_LIMIT = new RateConfig(0, 0, false);

    @Test
    void aKeyIsFoundByItsTextAndNamedByItsName() {
        Caller caller = ring(Set.of("*"), Set.of("*")).find("demo");

        assertThat(caller.name()).isEqualTo("demo-key");
        assertThat(caller.toString()).isEqualTo("demo-key");
    }

    @Test
    void anyOtherTextIsNoKey() {
        HashedKeyRing ring = ring(Set.of("*"), Set.of("*"));

        assertThat(ring.find("")).isNull();
        assertThat(ring.find("Demo")).isNull();
        assertThat(ring.find(SHA256_OF_DEMO)).isNull();
    }

    @Test
    void aKeyThatDidNotChangeKeepsWhatIsLeftOfItsRateAndAChangedOneBeginsAnew() {
        RateConfig rate = new RateConfig(1, 2, false);
        AccessConfig before = access(rate, rate);
        HashedKeyRing ring = HashedKeyRing.of(before, TestAccounts.create());
        assertThat(requireNonNull(ring.find("demo").rate()).admit(2)).isZero();
        assertThat(requireNonNull(ring.anonymous(null).rate()).admit(2)).isZero();

        HashedKeyRing same = ring.next(access(rate, rate));
        assertThat(requireNonNull(same.find("demo").rate()).admit(2)).isPositive();
        assertThat(requireNonNull(same.anonymous(null).rate()).admit(2)).isPositive();

        RateConfig other = new RateConfig(1, 3, false);
        HashedKeyRing changed = same.next(access(other, other));
        assertThat(requireNonNull(changed.find("demo").rate()).admit(3)).isZero();
        assertThat(requireNonNull(changed.anonymous(null).rate()).admit(3)).isZero();
    }

    @Test
    void eachAddressWithoutAKeyHasARateOfItsOwnWithinThatOfAll() throws Exception {
        HashedKeyRing ring = HashedKeyRing.of(byAddress(new RateConfig(1, 5, false)), TestAccounts.create());
        assertThat(admit(ring, "10.0.0.1", 3)).isZero();
        assertThat(admit(ring, "10.0.0.1", 1)).isPositive();
        // The rate of all refuses three, and the address keeps its own.
        assertThat(admit(ring, "2001:db8::1", 3)).isPositive();
        assertThat(admit(ring, "2001:db8::1", 2)).isZero();

        HashedKeyRing wide = ring.next(byAddress(NO_LIMIT));
        assertThat(admit(wide, "2001:db8::1", 3)).isZero();
        assertThat(admit(wide, "2001:db8::ffff:2", 1)).isPositive();
        assertThat(admit(wide, "2001:db8:0:1::1", 3)).isZero();
        assertThat(admit(wide.next(byAddress(NO_LIMIT)), "2001:db8::1", 1)).isPositive();
    }

    private static AccessConfig byAddress(RateConfig all) {
        return new AccessConfig(true, all, new RateConfig(1, 3, false), Map.of());
    }

    private static long admit(HashedKeyRing ring, String client, long units) throws UnknownHostException {
        return requireNonNull(ring.anonymous(InetAddress.getByName(client)).rate())
                .admit(units);
    }

    @Test
    void theNextKeysAreThoseOfTheNextConfiguration() {
        RateConfig rate = new RateConfig(1, 2, false);
        HashedKeyRing ring = HashedKeyRing.of(access(rate, rate), TestAccounts.create());

        HashedKeyRing none = ring.next(new AccessConfig(false, NO_LIMIT, Map.of()));
        assertThat(none.find("demo")).isNull();
        assertThat(none.anonymous(null)).isNull();
        KeyConfig key = access(rate, rate).keys().get("demo-key");
        assertThat(ring.next(new AccessConfig(false, NO_LIMIT, Map.of("renamed", key)))
                        .find("demo")
                        .name())
                .isEqualTo("renamed");
    }

    private static AccessConfig access(RateConfig rate, RateConfig anonymous) {
        KeyConfig key = new KeyConfig(
                SHA256_OF_DEMO, Set.of("*"), Set.of("*"), false, Unverifiable.PASS, rate, BoundConfig.NONE);
        return new AccessConfig(true, anonymous, Map.of("demo-key", key));
    }

    @Test
    void aKeyMayRequireThatListsOfLogsAreProven() {
        for (Unverifiable unproven : Unverifiable.values()) {
            KeyConfig key = new KeyConfig(
                    SHA256_OF_DEMO, Set.of("*"), Set.of("*"), false, unproven, NO_LIMIT, BoundConfig.NONE);
            Caller caller = HashedKeyRing.of(
                            new AccessConfig(false, NO_LIMIT, Map.of("demo-key", key)), TestAccounts.create())
                    .find("demo");
            assertThat(caller.requiresLogs()).isEqualTo(unproven == Unverifiable.REFUSE);
            assertThat(caller.fresh().requiresLogs()).isEqualTo(unproven == Unverifiable.REFUSE);
            assertThat(caller.demanding(false, true).requiresLogs()).isTrue();
            assertThat(caller.demanding(true, false))
                    .as("without the right to a cache bypass")
                    .isEqualTo(caller);
        }
    }

    @Test
    void everyMethodIsEveryMethodButTheWallets() {
        Caller caller = ring(Set.of("*"), Set.of("*")).find("demo");

        assertThat(caller.mayCall("eth_call")).isTrue();
        assertThat(caller.mayCall("wallet_invokeSnap")).isFalse();
    }

    @Test
    void walletMethodsMustBeNamed() {
        Caller caller = ring(Set.of("*"), Set.of("*", "wallet_invokeSnap")).find("demo");

        assertThat(caller.mayCall("wallet_invokeSnap")).isTrue();
        assertThat(caller.mayCall("wallet_other")).isFalse();
    }

    @Test
    void aPrefixMeansItsMethodsOnly() {
        Caller caller = ring(Set.of("*"), Set.of("eth_get*", "net_version")).find("demo");

        assertThat(caller.mayCall("eth_getBalance")).isTrue();
        assertThat(caller.mayCall("net_version")).isTrue();
        assertThat(caller.mayCall("eth_call")).isFalse();
    }

    @Test
    void aKeyUsesTheNetworksItNames() {
        Caller caller = ring(Set.of("mainnet"), Set.of("*")).find("demo");

        assertThat(caller.mayUse(new NetworkId("mainnet"))).isTrue();
        assertThat(caller.mayUse(new NetworkId("devnet"))).isFalse();
    }

    @Test
    void anonymousCallersAreRejectedUnlessConfigured() {
        assertThat(ring(Set.of("*"), Set.of("*")).anonymous(null)).isNull();
        assertThat(HashedKeyRing.of(new AccessConfig(true, NO_LIMIT, Map.of()), TestAccounts.create())
                        .anonymous(null))
                .isNotNull();
    }

    @Test
    void aRateAdmitsItsBurstAndReturnsTheWaitForMore() {
        AtomicLong nanos = new AtomicLong();
        RateGate gate = requireNonNull(BucketRateGate.of(new RateConfig(1, 3, false), nanos::get));

        assertThat(gate.admit(3)).isZero();
        assertThat(gate.admit(1)).isEqualTo(1_000_000_000);
        assertThat(gate.admit(4)).isEqualTo(RateGate.NEVER);
        nanos.set(999_999_999);
        assertThat(gate.admit(1)).isEqualTo(1);
        nanos.set(1_000_000_000);
        assertThat(gate.admit(1)).isZero();
    }

    @Test
    void aRateOfZeroIsNoLimit() {
        assertThat(BucketRateGate.of(NO_LIMIT)).isNull();
    }

    private static HashedKeyRing ring(Set<String> networks, Set<String> methods) {
        KeyConfig key =
                new KeyConfig(SHA256_OF_DEMO, networks, methods, false, Unverifiable.PASS, NO_LIMIT, BoundConfig.NONE);
        return HashedKeyRing.of(new AccessConfig(false, NO_LIMIT, Map.of("demo-key", key)), TestAccounts.create());
    }
}
