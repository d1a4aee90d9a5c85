package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(MethodCatalogue.otherKind().facts("eth_getBalance"))
                .isEqualTo(new MethodFacts("eth_getBalance", true, false, 1, null));
        assertThat(CATALOGUE.facts("trace_block").params()).isNull();
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
        assertThat(CATALOGUE.facts("erigon_forks")).isEqualTo(new MethodFacts("erigon_forks", false, false, 1, null));
    }

    @Test
    void everyMethodCostsSomethingAndIsFoundByItsName() {
        assertThat(CATALOGUE.all()).isNotEmpty().allSatisfy(facts -> {
            assertThat(facts.cost()).isPositive();
            assertThat(CATALOGUE.facts(facts.name())).isSameAs(facts);
        });
    }
}
