package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccounts;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.ContractScope;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.RequestAnswer;
import io.weir.upstream.budget.UnitLedger;
import java.math.BigInteger;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are bound to contracts: what they may call, and everything else, which they may not. */
class ContractBoundTest {

    private static final String OWN = "0x00000000000000000000000000000000000000aa";
    private static final String ALSO = "0x00000000000000000000000000000000000000bb";
    private static final String OTHER = "0x00000000000000000000000000000000000000cc";
    private static final RateConfig NO_LIMIT = new RateConfig(0, 0, false);

    private final Fixture fixture = new Fixture();
    private final Meters meters = new Meters(fixture.registry);
    private final Caller bound = caller(Set.of("0x00000000000000000000000000000000000000AA", ALSO));

    private Caller caller(Set<String> contracts) {
        KeyConfig key = new KeyConfig(
                "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea",
                Set.of("*"),
                Set.of("*"),
                false,
                Unverifiable.PASS,
                NO_LIMIT,
                new BoundConfig(Set.of(), List.of(), contracts, 0, null));
        Caller caller = HashedKeyRing.of(
                        new AccessConfig(false, NO_LIMIT, Map.of("dapp", key)),
                        new KeyAccounts(meters, UnitLedger.inMemory(System::currentTimeMillis)))
                .find("demo");
        assertThat(caller).isNotNull();
        return caller;
    }

    private @Nullable RpcReply reply(Caller caller, String method, String params) {
        String written = params.replace("OWN", OWN).replace("ALSO", ALSO).replace("OTHER", OTHER);
        List<RequestAnswer> answers = fixture.run(new RpcCall(RawJson.of("1"), method, RawJson.of(written)), caller);
        return answers.isEmpty() ? null : ((RequestAnswer.One) answers.get(0)).reply();
    }

    @Test
    void aCallIsAdmittedOnce() {
        AtomicInteger asked = new AtomicInteger();
        Set<String> methods = new AbstractSet<>() {
            @Override
            public boolean contains(Object pattern) {
                asked.incrementAndGet();
                return super.contains(pattern);
            }

            @Override
            public Iterator<String> iterator() {
                return bound.rights().methods().iterator();
            }

            @Override
            public int size() {
                return bound.rights().methods().size();
            }
        };
        Caller.Rights rights = new Caller.Rights(bound.rights().networks(), methods, false, false);
        Caller counted = new Caller(bound.name(), rights, bound.rate(), bound.bounds(), bound.account());
        reply(counted, "eth_getBalance", "[\"ALSO\",\"0x10\"]");
        assertThat(asked).hasValue(1);
    }

    private boolean isRefused(String method, String params) {
        RpcReply reply = reply(bound, method, params);
        boolean refused = reply instanceof RpcReply.Failure failure && failure.kind() == FailureKind.FORBIDDEN;
        if (refused) {
            assertThat(((RpcReply.Failure) reply).error().code()).isEqualTo(-32002);
        }
        return refused;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_call [{\"to\":\"OWN\",\"data\":\"0x01\",\"from\":\"OTHER\"},\"latest\"]",
                "eth_call [{\"to\":\"0x00000000000000000000000000000000000000aA\",\"input\":\"0x01\"}]",
                "eth_call [{\"t\\u006f\":\"OWN\"},\"latest\",null]",
                "eth_call [{\"to\":\"OWN\",\"accessList\":[{\"address\":\"OTHER\",\"storageKeys\":[]}]},\"latest\"]",
                "eth_estimateGas [{\"to\":\"ALSO\",\"value\":\"0x1\"}]",
                "eth_createAccessList [{\"to\":\"OWN\"},\"latest\"]",
                "eth_getLogs [{\"address\":\"OWN\",\"fromBlock\":\"0x1\",\"toBlock\":\"0x2\"}]",
                "eth_getLogs [{\"address\":[\"OWN\",\"ALSO\"]}]",
                "eth_newFilter [{\"address\":\"OWN\"}]",
                "eth_getBalance [\"OWN\",\"latest\"]",
                "eth_getCode [\"OWN\",\"latest\"]",
                "eth_getStorageAt [\"OWN\",\"0x0\",\"latest\"]",
                "eth_getProof [\"OWN\",[],\"latest\"]",
                "eth_getTransactionCount [\"OWN\",\"latest\"]",
                "eth_subscribe [\"logs\",{\"address\":\"OWN\"}]",
                "eth_subscribe [\"newHeads\"]",
                "eth_chainId []",
                "eth_getBlockByNumber [\"0x1\",false]",
                "eth_getTransactionReceipt "
                        + "[\"0x0000000000000000000000000000000000000000000000000000000000000000\"]",
            })
    void whatNamesNoOtherContractIsAnswered(String call) {
        assertThat(isRefused(method(call), params(call))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_call [{\"to\":\"OTHER\"},\"latest\"]",
                "eth_call [{\"data\":\"0x01\"},\"latest\"]",
                "eth_call [{\"to\":null},\"latest\"]",
                "eth_call [{},\"latest\"]",
                "eth_call [{\"to\":\"OWN\"},\"latest\",{\"OWN\":{\"code\":\"0x01\"}}]",
                "eth_call [{\"to\":\"OWN\"},\"latest\",null,{\"number\":\"0x1\"}]",
                "eth_call [{\"to\":\"OWN\",\"authorizationList\":[{\"address\":\"OTHER\"}]},\"latest\"]",
                "eth_call [{\"to\":\"OWN\",\"unheardOf\":1},\"latest\"]",
                "eth_estimateGas [{\"to\":\"OTHER\"}]",
                "eth_estimateGas [{\"data\":\"0x01\"}]",
                "eth_createAccessList [{\"to\":\"OTHER\"},\"latest\"]",
                "eth_getLogs [{}]",
                "eth_getLogs [{\"address\":null}]",
                "eth_getLogs [{\"address\":[]}]",
                "eth_getLogs [{\"address\":[\"OWN\",\"OTHER\"]}]",
                "eth_newFilter [{\"topics\":[]}]",
                "eth_getBalance [\"OTHER\",\"latest\"]",
                "eth_getCode [\"OTHER\",\"latest\"]",
                "eth_getStorageAt [\"OTHER\",\"0x0\",\"latest\"]",
                "eth_getProof [\"OTHER\",[],\"latest\"]",
                "eth_getTransactionCount [\"OTHER\",\"latest\"]",
                "eth_subscribe [\"logs\",{\"address\":\"OTHER\"}]",
                "eth_subscribe [\"logs\",{}]",
                "eth_subscribe [\"newPendingTransactions\"]",
                "eth_subscribe [\"alchemy_minedTransactions\"]",
                "eth_subscribe []",
                "eth_sendRawTransaction [\"0x01\"]",
                "eth_sendRawTransaction [\"0x\"]",
                "eth_simulateV1 [{\"blockStateCalls\":[]},\"latest\"]",
                "eth_sendBundle [{}]",
                "eth_unheardOf []",
            })
    void whatCouldReachAnotherContractIsRefused(String call) {
        assertThat(isRefused(method(call), params(call))).isTrue();
        assertThat(fixture.pool.asked).isEmpty();
        assertThat(meters.counter(Meter.KEY_REFUSALS, "dapp", "contract").getCount())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_call [{\"to\":\"OWN\",\"to\":\"OTHER\"},\"latest\"]",
                "eth_call [{\"to\":\"OWN\",\"To\":\"OTHER\"},\"latest\"]",
                "eth_call {\"to\":\"OWN\"}",
                "eth_getBalance []",
                "eth_subscribe [\"logs\"]",
                "eth_subscribe [\"logs\",{\"address\":\"OWN\"},{\"address\":\"OTHER\"}]",
            })
    void parametersThatCanBeReadInTwoWaysReachNoNode(String call) {
        assertThat(reply(bound, method(call), params(call))).isInstanceOfSatisfying(RpcReply.Failure.class, failure -> {
            assertThat(failure.error().code()).isEqualTo(-32602);
        });
        assertThat(fixture.pool.asked).isEmpty();
    }

    @Test
    void aSignedTransactionIsSentToAContractOfTheKeyOnly() {
        assertThat(isRefused("eth_sendRawTransaction", signed(TransactionType.DYNAMIC_FEE, OWN)))
                .isFalse();
        assertThat(isRefused("eth_sendRawTransaction", signed(TransactionType.LEGACY, ALSO)))
                .isFalse();
        assertThat(isRefused("eth_sendRawTransaction", signed(TransactionType.DYNAMIC_FEE, OTHER)))
                .isTrue();
        assertThat(isRefused("eth_sendRawTransaction", signed(TransactionType.LEGACY, null)))
                .isTrue();
        assertThat(isRefused("eth_sendRawTransaction", signed(TransactionType.SET_CODE, OWN)))
                .isTrue();
        assertThat(isRefused("eth_sendRawTransactionSync", signed(TransactionType.LEGACY, OTHER)))
                .isTrue();
    }

    private static String signed(TransactionType type, @Nullable String to) {
        TransactionBuilder builder = Transaction.builder(type)
                .chainId(BigInteger.valueOf(1337))
                .gas(21_000)
                .value(BigInteger.ONE)
                .input(Bytes.EMPTY);
        if (to != null) {
            builder.to(Address.fromHex(to));
        }
        if (type == TransactionType.LEGACY) {
            builder.gasPrice(BigInteger.ONE);
        } else {
            builder.maxFeePerGas(BigInteger.ONE).maxPriorityFeePerGas(BigInteger.ONE);
        }
        if (type == TransactionType.SET_CODE) {
            builder.authorizationList(
                    List.of(Authorization.sign(BigInteger.valueOf(1337), Address.fromHex(OTHER), 0, BigInteger.TWO)));
        }
        return "[\"" + Hex.encode(builder.build().sign(BigInteger.TEN).encoded()) + "\"]";
    }

    @Test
    void everyOtherMethodOfTheCatalogueIsRefused() {
        List<String> allowed = new ArrayList<>();
        for (MethodFacts facts : MethodCatalogue.ethereum().all()) {
            if (facts.contracts() != ContractScope.ANY) {
                allowed.add(facts.name());
            } else if (!(reply(bound, facts.name(), "[]") instanceof RpcReply.Failure)) {
                throw new AssertionError(facts.name() + ": answered (expected: refused)");
            }
        }
        assertThat(fixture.pool.asked).isEmpty();
        assertThat(allowed)
                .contains("eth_call", "eth_chainId")
                .noneMatch(method -> method.startsWith("debug_") || method.startsWith("trace_"))
                .doesNotContain("eth_getBlockReceipts", "eth_newPendingTransactionFilter", "eth_signTransaction");
    }

    @Test
    void aKeyWithoutContractsReachesAll() {
        Caller free = caller(Set.of());
        fixture.pool.node("a", FakePool.result("\"0x\""));
        assertThat(free.bounds().contracts()).isNull();
        assertThat(reply(free, "eth_call", "[{\"to\":\"OTHER\"},\"latest\"]")).isNotInstanceOf(RpcReply.Failure.class);
    }

    private static String method(String call) {
        return call.substring(0, call.indexOf(' '));
    }

    private static String params(String call) {
        return call.substring(call.indexOf(' ') + 1);
    }
}
