package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.wallet.abi.CallDescriber;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Request;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.FeeEstimate.Resource;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.request.Requests;
import io.weir.wallet.send.Draft;
import io.weir.wallet.send.FeeEstimator;
import io.weir.wallet.send.Quote;
import io.weir.wallet.send.Sending;
import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapCall;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.NamedCall;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The methods that send transactions, {@code createAccount}, {@code sendTransaction} and {@code upgradeAccContract}, and those that
 * estimate their fees. Thread-safe; blocks.
 */
record SendMethods(
        Accounts accounts,
        AccountTable table,
        AccountState state,
        FeeEstimator fees,
        Sending sending,
        Requests requests,
        CallDescriber describer) {
    private static final String INDEX = "addressIndex";
    private static final String CONTRACT = CallsReader.CONTRACT;

    CompletionStage<JsonNode> createAccount(SnapCall call) {
        boolean deploy = call.arguments().flag("deploy");
        WalletAccount account = account(call);
        table.remember(account.asked());
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("address", account.address().toPaddedHex());
        if (!deploy) {
            return TransactionJson.answer(answer);
        }
        return requests.run(call, request -> deploy(call, request, account, answer));
    }

    private CompletionStage<JsonNode> deploy(SnapCall call, Request request, WalletAccount account, ObjectNode answer) {
        checkNotDeployed(account);
        Optional<Felt> underWay = deploymentUnderWay(account);
        if (underWay.isPresent()) {
            return TransactionJson.answer(
                    answer.put("transaction_hash", underWay.get().toPaddedHex()));
        }
        return approveAndSend(
                call, request, fees.deployment(account), hash -> answer.put("transaction_hash", hash.toPaddedHex()));
    }

    CompletionStage<JsonNode> estimateAccountDeployFee(SnapCall call) {
        WalletAccount account = account(call);
        checkNotDeployed(account);
        return TransactionJson.answer(FeeJson.of(fees.deployment(account), fees.marginPercent()));
    }

    private WalletAccount account(SnapCall call) {
        int index = call.arguments().has(INDEX)
                ? call.arguments().integer(INDEX, 0, 0, Integer.MAX_VALUE)
                : accounts.nextIndex(call.tenant(), call.network());
        return accounts.at(call.tenant(), call.network(), index);
    }

    private void checkNotDeployed(WalletAccount account) {
        if (state.client().classHashAt(account.network(), account.address()).isPresent()) {
            throw SnapErrors.alreadyDeployed("the account " + account.address().toPaddedHex() + " is deployed already");
        }
    }

    private Optional<Felt> deploymentUnderWay(WalletAccount account) {
        return table.deployment(account.tenant(), account.network().chainId(), account.address())
                .filter(hash -> state.client().status(account.network(), hash).isPresent());
    }

    CompletionStage<JsonNode> sendTransaction(SnapCall call) {
        return requests.run(
                call,
                request -> approveAndSend(
                        call, request, invocation(call, call.arguments().fee("maxFee")), TransactionJson::sent));
    }

    CompletionStage<JsonNode> estimateFee(SnapCall call) {
        Quote quote = invocation(call, BigInteger.ZERO);
        ObjectNode json = FeeJson.of(quote, fees.marginPercent());
        json.put("includeDeploy", quote.includesDeployment());
        return TransactionJson.answer(json);
    }

    private Quote invocation(SnapCall call, BigInteger maxFee) {
        List<NamedCall> wanted = CallsReader.read(call.arguments());
        Felt sender = call.arguments().address("senderAddress");
        WalletAccount account =
                accounts.require(call.tenant(), call.network(), sender, Arguments.path("senderAddress"));
        Optional<AccountKind> now = state.kindNow(account);
        if (now.isPresent() && state.mustUpgrade(account, now.get())) {
            throw SnapErrors.failed("Upgrade required");
        }
        Draft draft = Draft.invocation(account, now.orElse(account.kind()), wanted);
        FeeEstimator.Deployment deployment =
                now.isPresent() ? FeeEstimator.Deployment.DONE : sending.deployment(account);
        return fees.invocation(draft, deployment, maxFee);
    }

    CompletionStage<JsonNode> upgradeAccContract(SnapCall call) {
        return requests.run(call, request -> approveAndSend(call, request, upgrade(call), TransactionJson::sent));
    }

    private Quote upgrade(SnapCall call) {
        Felt address = call.arguments().address(CONTRACT);
        BigInteger maxFee = call.arguments().fee("maxFee");
        WalletAccount account = accounts.require(call.tenant(), call.network(), address, Arguments.path(CONTRACT));
        AccountKind now = state.kindNow(account).orElseThrow(() -> SnapErrors.failed("Contract has not deployed"));
        AccountKind wanted = state.kinds().ofChain(call.network().chainId());
        if (now.classHash().equals(wanted.classHash()) || !state.mustUpgrade(account, now)) {
            throw SnapErrors.failed("Upgrade is not required");
        }
        NamedCall upgrade = wanted.upgradeOf(address)
                .orElseThrow(() -> SnapErrors.failed("no upgrade leads to accounts of kind " + wanted.name()));
        Draft draft = Draft.invocation(account, now, List.of(upgrade));
        return fees.invocation(draft, FeeEstimator.Deployment.DONE, maxFee);
    }

    private CompletionStage<JsonNode> approveAndSend(
            SnapCall call, Request request, Quote quote, Function<Felt, JsonNode> answer) {
        Felt sender = quote.drafts().get(0).account().address();
        Content wanted = Content.ofCalls(call.origin(), sender, describer.describe(quote.drafts()), quote.maxFee());
        return requests.ask(
                request, wanted, () -> sending.send(quote, request.id()).thenApply(answer));
    }

    /**
     * Fees as the network's former gateway gave them, in decimal. One gas and its price are now those of layer 2; the other two kinds
     * stand beside them. Thread-safe.
     */
    static final class FeeJson {
        private FeeJson() {}

        static ObjectNode of(Quote quote, int marginPercent) {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("suggestedMaxFee", quote.suggestedMaxFee(marginPercent).toString());
            json.put("overallFee", quote.overallFee().toString());
            put(json, "gas", quote, FeeEstimate::l2Gas);
            put(json, "l1Gas", quote, FeeEstimate::l1Gas);
            put(json, "l1DataGas", quote, FeeEstimate::l1DataGas);
            json.put("unit", "fri");
            return json;
        }

        private static void put(ObjectNode json, String name, Quote quote, Function<FeeEstimate, Resource> resource) {
            BigInteger consumed = quote.estimates().stream()
                    .map(estimate -> resource.apply(estimate).consumed())
                    .reduce(BigInteger.ZERO, BigInteger::add);
            BigInteger price = quote.estimates().stream()
                    .map(estimate -> resource.apply(estimate).price())
                    .reduce(BigInteger.ZERO, BigInteger::max);
            json.put(name + "Consumed", consumed.toString());
            json.put(name + "Price", price.toString());
        }
    }

    /** Reads the calls that a transaction is wanted for: one by its members, or several as the list {@code calls}. Stateless. */
    static final class CallsReader {
        static final String CONTRACT = "contractAddress";
        static final String FUNCTION = "contractFuncName";
        static final String CALLDATA = "contractCallData";
        static final String CALLS = "calls";

        private static final List<String> MEMBERS = List.of(CONTRACT, FUNCTION, CALLDATA);

        /** The most calls of one transaction: as many as a person reads through before an approval. */
        private static final int MAX_CALLS = 32;

        private CallsReader() {}

        static List<NamedCall> read(Arguments arguments) {
            if (!arguments.has(CALLS)) {
                return List.of(call(arguments));
            }
            MEMBERS.stream().filter(arguments::has).findFirst().ifPresent(member -> {
                throw SnapErrors.invalidParams(
                        Arguments.path(member) + ": given beside calls (expected: one call by its members, or calls)");
            });
            List<NamedCall> calls = arguments.objects(CALLS, MAX_CALLS, Set.copyOf(MEMBERS)).stream()
                    .map(CallsReader::call)
                    .toList();
            int numbers =
                    calls.stream().mapToInt(call -> call.calldata().size()).sum();
            if (numbers > Arguments.MAX_CALLDATA) {
                throw SnapErrors.invalidParams(Arguments.path(CALLS) + ": call data of " + numbers
                        + " numbers (expected: at most " + Arguments.MAX_CALLDATA + " of all calls together)");
            }
            return calls;
        }

        private static NamedCall call(Arguments arguments) {
            return new NamedCall(arguments.address(CONTRACT), arguments.function(FUNCTION), arguments.felts(CALLDATA));
        }
    }
}
