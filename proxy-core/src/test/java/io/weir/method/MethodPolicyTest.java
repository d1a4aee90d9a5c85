package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.UnknownMethods;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MethodPolicyTest {

    private static final List<String> NONE = List.of();

    private static MethodPolicy policy(List<String> allow, List<String> deny, UnknownMethods unknown) {
        return new MethodPolicy(new MethodRules(allow, deny, unknown, 10));
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
                        "txpool_*",
                        "account_*",
                        "signer_*",
                        "clique_*",
                        "ibft_*",
                        "qbft_*",
                        "perm_*",
                        "parity_*",
                        "eth_signTypedData*",
                        "eth_resend",
                        "hardhat_*",
                        "anvil_*",
                        "evm_*",
                        "dev_*",
                        "les_*",
                        "db_*",
                        "shh_*",
                        "bee_*");
    }

    @Test
    void theOperatorsReadTheSameList() throws IOException {
        String text = Files.readString(Path.of("../conf/settings.md"));
        Matcher said = Pattern.compile("(?s)Denied unless allowed: (.*?)\\.\n").matcher(text);
        assertThat(said.find()).isTrue();
        assertThat(Pattern.compile("`([^`]+)`").matcher(said.group(1)).results().map(MatchResult::group))
                .containsExactlyElementsOf(MethodPolicy.DENIED_UNLESS_ALLOWED.stream()
                        .map(name -> "`" + name + "`")
                        .toList());
    }

    @Test
    void operatorsReadWhichParityMethodsAreServed() throws IOException {
        String text = Files.readString(Path.of("../conf/settings.md"));
        Matcher listed = Pattern.compile(
                        "(?s)Some `parity_\\*` methods only read and are served \\(here without the prefix\\): (.*?)\\.\n")
                .matcher(text);
        assertThat(listed.find()).isTrue();
        assertThat(Pattern.compile("`([^`]+)`")
                        .matcher(listed.group(1))
                        .results()
                        .map(match -> "parity_" + match.group(1)))
                .containsExactlyInAnyOrderElementsOf(MethodPolicy.PARITY_READS);
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
                "account_signTransaction",
                "signer_confirmRequest",
                "clique_propose",
                "ibft_proposeValidatorVote",
                "qbft_discardValidatorVote",
                "perm_addNodesToAllowlist",
                "eth_signTypedData",
                "eth_signTypedData_v3",
                "eth_signTypedData_v4",
                "eth_resend",
                "hardhat_impersonateAccount",
                "anvil_setBalance",
                "evm_revert",
                "dev_setHead",
                "les_addBalance",
                "db_putString",
                "shh_post",
                "bee_x",
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

    /** Methods of OpenEthereum and its predecessors that change the node, use its keys, or tell of its accounts and logs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "parity_acceptNonReservedPeers",
                "parity_accountsInfo",
                "parity_addReservedPeer",
                "parity_allAccountsInfo",
                "parity_changePassword",
                "parity_changeVault",
                "parity_changeVaultPassword",
                "parity_checkRequest",
                "parity_clearEngineSigner",
                "parity_closeVault",
                "parity_composeTransaction",
                "parity_decryptMessage",
                "parity_defaultAccount",
                "parity_deriveAddressHash",
                "parity_deriveAddressIndex",
                "parity_devLogs",
                "parity_dropNonReservedPeers",
                "parity_executeUpgrade",
                "parity_exportAccount",
                "parity_generateSecretPhrase",
                "parity_hardwarePinMatrixAck",
                "parity_hashContent",
                "parity_importGethAccounts",
                "parity_killAccount",
                "parity_lockedHardwareAccountsInfo",
                "parity_newAccountFromPhrase",
                "parity_newAccountFromSecret",
                "parity_newAccountFromWallet",
                "parity_newVault",
                "parity_openVault",
                "parity_postSign",
                "parity_postTransaction",
                "parity_removeAddress",
                "parity_removeReservedPeer",
                "parity_removeTransaction",
                "parity_setAccountMeta",
                "parity_setAuthor",
                "parity_setChain",
                "parity_setEngineSigner",
                "parity_setEngineSignerSecret",
                "parity_setExtraData",
                "parity_setGasCeilTarget",
                "parity_setMaxTransactionGas",
                "parity_setMinGasPrice",
                "parity_setMode",
                "parity_setTransactionsLimit",
                "parity_setVaultMeta",
                "parity_signMessage",
                "parity_submitRawBlock",
                "parity_submitWorkDetail",
                "parity_testPassword",
                "parity_upgradeReady",
                "parity_someMethodOfTheFuture",
            })
    void parityMethodsThatDoNotOnlyReadAreDenied(String method) {
        assertThat(preset().serves(method, false)).isFalse();
        assertThat(policy(List.of("parity_*"), NONE, UnknownMethods.PASS).serves(method, false))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"parity_getBlockReceipts", "parity_pendingTransactions", "parity_nextNonce", "parity_chain"})
    void parityMethodsThatOnlyReadAreServedUnlessDenied(String method) {
        assertThat(preset().serves(method, false)).isTrue();
        assertThat(policy(NONE, List.of("parity_*"), UnknownMethods.PASS).serves(method, false))
                .isFalse();
        assertThat(policy(NONE, NONE, UnknownMethods.DENY).serves(method, false))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Personal_unlockAccount",
                "PERSONAL_UNLOCKACCOUNT",
                "ETH_SIGN",
                "eth_sendtransaction",
                "Eth_SignTypedData_V4",
                "PARITY_setAuthor",
                "Parity_chain",
                "aNvIl_setBalance",
            })
    void anotherSpellingOfADeniedNameIsDenied(String method) {
        assertThat(preset().serves(method, false)).isFalse();
    }

    @Test
    void anotherSpellingOfANameThatTheNetworkDeniesIsDenied() {
        MethodPolicy policy = policy(List.of("Eth_*"), List.of("eth_getLogs"), UnknownMethods.PASS);
        assertThat(policy.serves("Eth_getLogs", false)).isFalse();
        assertThat(policy.serves("eth_GETLOGS", false)).isFalse();
        assertThat(policy.serves("Eth_getLog", false)).isTrue();
    }

    /** Nethermind trims names, others stop at a zero byte: the name that a node reads is not the one compared here. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                " personal_unlockAccount",
                "personal_unlockAccount ",
                "\tpersonal_unlockAccount",
                "personal_unlockAccount\u0000",
                "\u00a0eth_sign",
                "eth_sign\u3000",
                "eth_\u017fign",
                "perso\u200bnal_sign",
                "erigon_forks\n",
            })
    void aNameWithSpacesOrControlOrForeignCharactersIsNeverServed(String method) {
        for (List<String> allow : List.of(NONE, List.of("*"), List.of(method))) {
            assertThat(policy(allow, NONE, UnknownMethods.PASS).serves(method, false))
                    .isFalse();
        }
    }

    @Test
    void noSpellingOfADeniedNameIsServed() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String letters = "abcXYZ019_*\u0000 \t\u0130\u212a";
        for (int i = 0; i < 20_000; i++) {
            String pattern =
                    MethodPolicy.DENIED_UNLESS_ALLOWED.get(random.nextInt(MethodPolicy.DENIED_UNLESS_ALLOWED.size()));
            StringBuilder name = new StringBuilder(pattern.replace("*", ""));
            for (int more = pattern.endsWith("*") ? random.nextInt(12) : 0; more > 0; more--) {
                name.append(letters.charAt(random.nextInt(letters.length())));
            }
            for (int c = 0; c < name.length(); c++) {
                char old = name.charAt(c);
                name.setCharAt(c, random.nextBoolean() ? Character.toUpperCase(old) : old);
            }
            for (int spaces = random.nextInt(3); spaces > 0; spaces--) {
                name.insert(random.nextInt(name.length() + 1), (char) random.nextInt(' ' + 1));
            }
            assertThat(preset().serves(name.toString(), false))
                    .as("seed %d: <%s>", seed, name)
                    .isFalse();
        }
    }

    @Test
    void walletMethodsOfNodesAreServedOnlyWhereAllowed() {
        for (String method : List.of("wallet_getCapabilities", "Wallet_sendTransaction")) {
            assertThat(preset().serves(method, false)).isFalse();
            assertThat(policy(List.of("*"), NONE, UnknownMethods.PASS).serves(method, false))
                    .isTrue();
        }
        assertThat(preset().serves("wallet_invokeSnap", true)).as("of a plugin").isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_sendRawTransaction",
                "eth_call",
                "eth_signer",
                "eth_resender",
                "net_version",
                "trace_block",
                "erigon_forks",
                "database_x",
                "evmos_x"
            })
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
