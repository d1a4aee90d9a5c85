package io.weir.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {

    private static final AllowedHosts NONE_NAMED = new AllowedHosts(Set.of());
    private static final AllowedHosts NAMED = new AllowedHosts(
            Set.of("RPC.Example.org", "weir.", "10.1.0.0/16", "2001:db8::/32", "[fd00::1]", "0.0.0.0"));

    private static InetAddress address(String text) throws Exception {
        return InetAddress.getByName(text);
    }

    @ParameterizedTest
    @CsvSource({
        "weir.blue.svc.cluster.local, true",
        "WEIR.svc.Cluster.local.:8545, true",
        "svc.cluster.local, false",
        "notsvc.cluster.local, false",
        "weir.svc.cluster.local.evil.test, false"
    })
    void aDomainAllowsTheNamesBelowIt(String host, boolean allowed) {
        assertThat(new AllowedHosts(Set.of(".SVC.cluster.local")).allow(host, null))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8545",
                "localhost.",
                "localhost.:8545",
                "devnet.localhost:8545",
                "127.0.0.1",
                "127.0.0.1:1",
                "127.8.9.10:8545",
                "[::1]:8545",
                "[::ffff:127.0.0.1]"
            })
    void loopbackIsAlwaysAllowed(String host) throws Exception {
        assertThat(NONE_NAMED.allow(host, address("192.0.2.1"))).isTrue();
        assertThat(NONE_NAMED.allow(host, null)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.test",
                "evil.test:8545",
                "localhost.evil.test",
                "notlocalhost",
                "127.0.0.1.evil.test",
                "127.0.0.1.nip.io",
                "127.1",
                "2130706433",
                "0x7f.0.0.1",
                "0.0.0.0",
                "192.0.2.2",
                "[::2]",
                "localhost:x",
                "localhost:8545:8545",
                "evil.test:localhost",
                "localhost@evil.test",
                "localhost%00.evil.test",
                "[localhost]",
                "*",
                ".",
                ""
            })
    void everyOtherHostIsRejected(String host) throws Exception {
        assertThat(NONE_NAMED.allow(host, address("192.0.2.1"))).isFalse();
        assertThat(NONE_NAMED.allow(host, null)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1:8545, 192.0.2.1, true",
        "192.0.2.1:8545, 192.0.2.3, false",
        "[2001:DB8:0:0::7]:8545, 2001:db8::7, true",
        "[2001:db8::8], 2001:db8::7, false",
        "[::ffff:192.0.2.1], 192.0.2.1, true",
    })
    void theAddressThatAConnectionReachedIsAllowed(String host, String local, boolean allowed) throws Exception {
        assertThat(NONE_NAMED.allow(host, address(local))).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "rpc.example.org, true",
        "RPC.EXAMPLE.ORG.:443, true",
        "weir:8545, true",
        "10.1.2.3, true",
        "10.2.2.3, false",
        "[2001:db8:ffff::1], true",
        "[fd00::1], true",
        "[fd00::2], false",
        "0.0.0.0:8545, true",
        "sub.rpc.example.org, false",
        "example.org, false",
    })
    void namedHostsAreAllowed(String host, boolean allowed) {
        assertThat(NAMED.allow(host, null)).isEqualTo(allowed);
    }

    @Test
    void anAsteriskAllowsEveryHost() {
        assertThat(new AllowedHosts(Set.of("*")).allow("evil.test", null)).isTrue();
        assertThat(new AllowedHosts(Set.of("*")).allow("", null)).isTrue();
    }

    @Test
    void aRequestWithoutAHostIsNoBrowsers() {
        assertThat(NONE_NAMED.allow(null, null)).isTrue();
    }
}
