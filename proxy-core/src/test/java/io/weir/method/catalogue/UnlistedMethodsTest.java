package io.weir.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnlistedMethodsTest {

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
        assertThat(UnlistedMethods.mayReplaceState(method)).isTrue();
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
        assertThat(UnlistedMethods.mayChangeChain(method)).isTrue();
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
        assertThat(UnlistedMethods.mayChangeChain(method)).isFalse();
        assertThat(UnlistedMethods.mayReplaceState(method)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"anvil_mine", "anvil_reorg", "evm_mine", "evm_snapshot", "hardhat_mine", "debug_setHeads"})
    void whatOnlyAddsBlocksReplacesNothing(String method) {
        assertThat(UnlistedMethods.mayReplaceState(method)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_sendBundle",
                "eth_sendRawTransactionConditional",
                "kaia_sendRawTransaction",
                "personal_sendTransaction"
            })
    void aMethodWhoseNameSaysThatItSendsSendsATransaction(String method) {
        assertThat(UnlistedMethods.isWrite(method)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alchemy_getTokenBalances", "eth_resend", "trace_x", "sender_count", ""})
    void otherMethodsSendNone(String method) {
        assertThat(UnlistedMethods.isWrite(method)).isFalse();
    }
}
