package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.UnknownMethods;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MethodPolicyTest {

    private static final List<String> NONE = List.of();

    private static MethodPolicy policy(List<String> allow, List<String> deny, UnknownMethods unknown) {
        return new MethodPolicy(new MethodRules(allow, deny, unknown, true, 10));
    }

    private static MethodPolicy preset() {
        return policy(NONE, NONE, UnknownMethods.PASS);
    }

    @Test
    void whatIsDeniedUnlessAllowedIsTheList() {
        assertThat(MethodPolicy.DENIED_UNLESS_ALLOWED)
                .containsExactly(
                        "admin_*",
                        "debug_*",
                        "engine_*",
                        "miner_*",
                        "personal_*",
                        "eth_sendTransaction",
                        "eth_sign",
                        "eth_signTransaction",
                        "eth_accounts",
                        "eth_coinbase",
                        "testing_*",
                        "txpool_*");
    }

    @Test
    void theOperatorsReadTheSameList() throws IOException {
        String text = Files.readString(Path.of("../conf/README.md"));
        Matcher said = Pattern.compile("(?s)Denied unless allowed: (.*?)\\.\n").matcher(text);
        assertThat(said.find()).isTrue();
        assertThat(Pattern.compile("`([^`]+)`").matcher(said.group(1)).results().map(MatchResult::group))
                .containsExactlyElementsOf(MethodPolicy.DENIED_UNLESS_ALLOWED.stream()
                        .map(name -> "`" + name + "`")
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin_addPeer",
                "debug_traceCall",
                "engine_newPayloadV4",
                "miner_start",
                "personal_unlockAccount",
                "eth_sendTransaction",
                "eth_sign",
                "eth_signTransaction",
                "eth_accounts",
                "eth_coinbase",
                "testing_buildBlock",
                "txpool_content",
            })
    void whatCommandsANodeIsDeniedUnlessAllowedByNameOrPrefixOrAll(String method) {
        String prefix = method.substring(0, method.indexOf('_') + 1) + "*";
        for (boolean known : new boolean[] {true, false}) {
            assertThat(preset().serves(method, known)).isFalse();
            for (String pattern : List.of(method, prefix, "*")) {
                assertThat(policy(List.of(pattern), NONE, UnknownMethods.DENY).serves(method, known))
                        .as(pattern)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_sendRawTransaction", "eth_call", "eth_signTypedData_v4", "net_version", "trace_block"})
    void whatOnlyLooksAlikeIsServed(String method) {
        assertThat(preset().serves(method, true)).isTrue();
        assertThat(preset().serves(method, false)).isTrue();
    }

    @Test
    void denyBeatsAllow() {
        MethodPolicy policy = policy(List.of("debug_*", "eth_call"), List.of("debug_trace*"), UnknownMethods.PASS);
        assertThat(policy.serves("debug_getRawBlock", true)).isTrue();
        assertThat(policy.serves("debug_traceCall", true)).isFalse();
        assertThat(policy(List.of("*"), List.of("*"), UnknownMethods.PASS).serves("eth_call", true))
                .isFalse();
        assertThat(policy(List.of("eth_call"), List.of("eth_call"), UnknownMethods.PASS)
                        .serves("eth_call", true))
                .isFalse();
    }

    @Test
    void unknownMethodsPassOrAreDenied() {
        assertThat(preset().serves("erigon_forks", false)).isTrue();
        MethodPolicy strict = policy(NONE, NONE, UnknownMethods.DENY);
        assertThat(strict.serves("erigon_forks", false)).isFalse();
        assertThat(strict.serves("eth_call", true)).isTrue();
        assertThat(policy(List.of("erigon_*"), NONE, UnknownMethods.DENY).serves("erigon_forks", false))
                .isTrue();
    }
}
