package io.weir.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.NetworkMethod;
import io.weir.method.LookupKind;
import io.weir.method.MethodFacts;
import io.weir.method.MethodRole;
import io.weir.method.MethodTrait;
import io.weir.method.NullMeaning;
import io.weir.method.ProofKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MethodCatalogueTest {

    private static final MethodCatalogue CATALOGUE = MethodCatalogue.ethereum();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_getStorageAt",
                "eth_getBlockByHash",
                "eth_getUncleByBlockNumberAndIndex",
                "eth_getTransactionByBlockNumberAndIndex",
                "eth_getTransactionByBlockHashAndIndex",
                "eth_getTransactionByHash",
                "eth_getTransactionReceipt",
                "eth_getBlockReceipts",
                "eth_estimateGas",
            })
    void theMethodsOfTheServiceAreKnownAndRepeatable(String method) {
        assertRead(method);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_chainId",
                "eth_blockNumber",
                "eth_getBalance",
                "eth_call",
                "eth_gasPrice",
                "eth_feeHistory",
                "eth_getTransactionCount",
                "eth_getBlockByNumber",
                "eth_getLogs",
                "eth_getCode",
                "net_version",
                "web3_clientVersion",
            })
    void whatWalletsNeedToConnectIsKnownAndRepeatable(String method) {
        assertRead(method);
    }

    @Test
    void whatMethodsTakeIsKnownOfEthereumsKindOnly() {
        assertThat(CATALOGUE.facts("eth_getBalance").params()).isNotNull();
        assertThat(MethodCatalogue.otherKind().all())
                .hasSameSizeAs(CATALOGUE.all())
                .allSatisfy(facts -> {
                    assertThat(facts.params()).isNull();
                    assertThat(facts)
                            .usingRecursiveComparison()
                            .ignoringFields("params")
                            .isEqualTo(CATALOGUE.facts(facts.name()));
                });
        assertThat(CATALOGUE.facts("trace_get").params()).isNull();
    }

    @Test
    void aKindOfNetworkAddsItsMethods() {
        MethodCatalogue catalogue = MethodCatalogue.ofKind(
                List.of(
                        NetworkMethod.read("net_read"),
                        NetworkMethod.slowRead("net_slow", 9),
                        NetworkMethod.write("net_add")),
                null,
                null,
                false);
        assertThat(catalogue.facts("net_read"))
                .matches(MethodFacts::known)
                .matches(MethodFacts::repeatable)
                .matches(MethodFacts::batchable);
        assertThat(catalogue.facts("net_slow"))
                .matches(MethodFacts::repeatable)
                .matches(facts -> !facts.batchable() && facts.cost() == 9);
        assertThat(catalogue.facts("net_add"))
                .matches(MethodFacts::writes)
                .matches(facts -> !facts.repeatable() && !facts.notifiable());
        assertThat(catalogue.all()).hasSize(MethodCatalogue.otherKind().all().size() + 3);
    }

    @Test
    void everyKnownMethodOfTheNamesThatNodesShareHasItsParametersButForSubscriptions() {
        assertThat(CATALOGUE.all())
                .filteredOn(facts -> facts.name().matches("(eth|net|web3)_.*"))
                .filteredOn(facts -> facts.params() == null)
                .map(MethodFacts::name)
                .containsExactlyInAnyOrder("eth_subscribe", "eth_unsubscribe");
    }

    private static void assertRead(String method) {
        assertThat(CATALOGUE.knows(method)).isTrue();
        MethodFacts facts = CATALOGUE.facts(method);
        assertThat(facts.name()).isEqualTo(method);
        assertThat(facts.repeatable()).isTrue();
        assertThat(facts.notifiable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_sendRawTransaction",
                "eth_sendRawTransactionSync",
                "eth_sendTransaction",
                "eth_sign",
                "eth_newFilter",
                "eth_getFilterChanges",
                "eth_uninstallFilter",
                "eth_subscribe",
            })
    void whatANodeRemembersOrChangesIsNotRepeatable(String method) {
        assertThat(CATALOGUE.knows(method)).isTrue();
        assertThat(CATALOGUE.facts(method).repeatable()).isFalse();
    }

    @Test
    void onlySendingMakesSenseWithoutAnAnswer() {
        assertThat(CATALOGUE.all().stream().filter(MethodFacts::notifiable).map(MethodFacts::name))
                .containsExactlyInAnyOrder("eth_sendRawTransaction", "eth_sendTransaction");
    }

    @Test
    void whatNobodyKnowsIsNeitherRepeatableNorSensibleWithoutAnAnswer() {
        assertThat(CATALOGUE.knows("erigon_forks")).isFalse();
        assertThat(CATALOGUE.facts("erigon_forks")).isEqualTo(MethodFacts.unknown("erigon_forks"));
        assertUnknown("erigon_forks");
    }

    private static void assertUnknown(String method) {
        MethodFacts facts = CATALOGUE.facts(method);
        assertThat(facts.name()).isEqualTo(method);
        assertThat(CATALOGUE.knows(method)).isFalse();
        assertThat(CATALOGUE.batchable()).doesNotContain(method);
        assertThat(facts.known()).isFalse();
        assertThat(facts.params()).isNull();
        assertThat(facts.role()).isEqualTo(MethodRole.PLAIN);
        assertThat(facts.cost()).isEqualTo(1);
        assertThat(facts.repeatable()).isFalse();
        assertThat(facts.notifiable()).isFalse();
        assertThat(facts.lookup()).isEqualTo(LookupKind.NONE);
        assertThat(facts.nullMeaning()).isEqualTo(NullMeaning.NONE);
        assertThat(facts.cacheClass()).isNull();
        assertThat(facts.blockField()).isNull();
        assertThat(facts.proof()).isEqualTo(ProofKind.NONE);
        assertThat(facts.isHeldToHead()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_callMany", "eth_sendRawTransactionConditional", "eth_resend"})
    void aRowOutsideTheCatalogueOnlySaysWhatErrorsMeanAndWhatIsDenied(String method) {
        assertUnknown(method);
        assertThat(CATALOGUE.facts(method).traits())
                .isNotEmpty()
                .isSubsetOf(MethodTrait.EXECUTES, MethodTrait.WRITES, MethodTrait.USES_NODE_KEY);
        assertThat(CATALOGUE.all()).extracting(MethodFacts::name).doesNotContain(method);
    }

    @Test
    void everyMethodCostsSomethingAndIsFoundByItsName() {
        assertThat(CATALOGUE.all()).isNotEmpty().allSatisfy(facts -> {
            assertThat(facts.cost()).isPositive();
            assertThat(CATALOGUE.facts(facts.name())).isSameAs(facts);
        });
    }
}
