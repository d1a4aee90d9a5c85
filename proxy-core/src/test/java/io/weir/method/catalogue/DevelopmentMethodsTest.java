package io.weir.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevelopmentMethodsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "anvil_setBalance",
                "evm_revert",
                "ganache_x",
                "hardhat_setCode",
                "tenderly_x",
                "testing_x",
                "debug_setHead"
            })
    void whatChangesAChainByHandMayReplaceState(String method) {
        assertThat(DevelopmentMethods.mayReplaceState(method)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "anvil_mine",
                "anvil_reorg",
                "anvil_setBalance",
                "engine_createBlock",
                "evm_mine",
                "evm_revert",
                "debug_setHead"
            })
    void whatChangesAChainByHandMayChangeTheHead(String method) {
        assertThat(DevelopmentMethods.mayChangeChain(method)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alchemy_getTokenBalances",
                "anvil_nodeInfo",
                "evm_snapshot",
                "hardhat_getAutomine",
                "tenderly_simulateTransaction",
                "debug_getRawBlock",
                ""
            })
    void whatOnlyReadsChangesNothing(String method) {
        assertThat(DevelopmentMethods.mayChangeChain(method)).isFalse();
        assertThat(DevelopmentMethods.mayReplaceState(method)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"anvil_mine", "anvil_reorg", "evm_mine", "evm_snapshot", "hardhat_mine", "debug_setHeads"})
    void whatOnlyAddsBlocksReplacesNothing(String method) {
        assertThat(DevelopmentMethods.mayReplaceState(method)).isFalse();
    }
}
