package io.weir.wallet.send;

import io.weir.l2.Felt;
import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.Origin;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionType;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a person can do about a transaction that is held up: sign another one with its nonce, which does nothing or does the same for
 * a higher fee. At most one of the two is ever carried out. Thread-safe.
 *
 * @param feeToken the token of which a cancelling transaction transfers nothing to its own account
 */
public record Remedies(
        L2Networks networks,
        Accounts accounts,
        AccountKinds kinds,
        FeeEstimator fees,
        Approvals approvals,
        Sending sending,
        Felt feeToken,
        Executor executor) {
    private static final Logger LOG = LoggerFactory.getLogger(Remedies.class);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String METHOD = "sendTransaction";
    private static final int MAX_SHOWN = 200;

    /** Mempools take a replacement only if its prices are a tenth higher; a quarter leaves room. */
    private static final BigInteger RAISE_PERCENT = BigInteger.valueOf(125);

    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns the transactions that can be replaced: those on their way, and refused ones whose nonce holds up later ones. */
    public List<StoredTransaction> replaceable() {
        return sending.transactions().replaceable(MAX_SHOWN);
    }

    /** Returns the highest cost of a replacement of a transaction. */
    public static BigInteger maxFee(StoredTransaction transaction) {
        return transaction.maxFee().shiftLeft(1);
    }

    /** Signs a transaction that transfers nothing, in place of another one, as a person orders. The stage gives its hash, or fails. */
    public CompletionStage<Felt> cancel(StoredTransaction transaction, String approver) {
        return later(transaction, new Order("cancel", approver), account -> {
            NamedCall nothing = new NamedCall(feeToken, "transfer", List.of(account.address(), Felt.ZERO, Felt.ZERO));
            return Draft.invocation(account, kindOf(account), List.of(nothing));
        });
    }

    /** Signs the same calls again for a higher fee, in place of the first, as a person orders. The stage gives its hash, or fails. */
    public CompletionStage<Felt> raise(StoredTransaction transaction, String approver) {
        return later(
                transaction,
                new Order("raise", approver),
                account -> Draft.invocation(account, kindOf(account), transaction.calls()));
    }

    /** Returns the kind by which the calls are laid out: an upgrade may have come since the account was stored. */
    private AccountKind kindOf(WalletAccount account) {
        return kinds.now(sending.client(), account).orElse(account.kind());
    }

    /** A person's order to replace a transaction. Immutable. */
    private record Order(String what, String approver) {}

    private CompletionStage<Felt> later(
            StoredTransaction transaction, Order order, Function<WalletAccount, Draft> making) {
        return CompletableFuture.supplyAsync(() -> replace(transaction, order, making), executor)
                .thenCompose(sent -> sent);
    }

    private CompletionStage<Felt> replace(
            StoredTransaction transaction, Order order, Function<WalletAccount, Draft> making) {
        if (transaction.type() != TransactionType.INVOKE) {
            throw SnapErrors.failed("a deployment cannot be replaced (expected: a transaction of the account)");
        }
        L2Network network = networks.ofChain(transaction.chainId())
                .orElseThrow(() -> SnapErrors.failed("the network of the transaction is not configured"));
        WalletAccount account = accounts.find(transaction.tenant(), network, transaction.sender())
                .orElseThrow(() -> SnapErrors.failed("the account is not one of this wallet"));
        Draft draft = making.apply(account);
        ResourceBounds bounds = raised(
                fees.invocation(draft, FeeEstimator.Deployment.DONE, BigInteger.ZERO)
                        .bounds()
                        .get(0),
                transaction);
        BigInteger cost = FeeEstimate.most(bounds);
        if (cost.compareTo(maxFee(transaction)) > 0) {
            throw SnapErrors.failed(
                    "the replacement costs up to " + cost + " (expected: at most " + maxFee(transaction) + ")");
        }
        approvals.charge(request(network, draft, cost));
        byte[] id = new byte[16];
        RANDOM.nextBytes(id);
        String what = order.what();
        String approval = what + ":" + HexFormat.of().formatHex(id);
        LOG.info("{} of transaction {} of {}: approved", what, transaction.hash(), transaction.tenant());
        sending.audit().replaced(approval, order.approver(), what, transaction, draft.calls(), cost);
        CompletionStage<Felt> sent;
        try {
            sent = sending.replace(transaction, draft, bounds, approval);
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedStage(e);
        }
        return sent.whenComplete((hash, failure) -> sending.audit()
                .outcome(
                        approval,
                        transaction.tenant(),
                        hash == null ? null : hash.toPaddedHex(),
                        failure == null ? null : Waiting.unwrapped(failure)));
    }

    private static Content request(L2Network network, Draft draft, BigInteger cost) {
        WalletAccount account = draft.account();
        Origin origin = new Origin(account.tenant(), METHOD, network);
        return Content.ofCalls(origin, account.address(), requestedCalls(draft.calls()), cost);
    }

    /** Returns calls as a person is asked about them, without the types of their data. */
    public static List<RequestedCall> requestedCalls(List<NamedCall> calls) {
        return calls.stream()
                .map(call -> new RequestedCall(call.contract(), call.function(), call.calldata(), List.of()))
                .toList();
    }

    private static ResourceBounds raised(ResourceBounds estimated, StoredTransaction transaction) {
        JsonNode old = MAPPER.readTree(transaction.body()).path("resource_bounds");
        ResourceBound data = estimated.l1DataGas();
        return new ResourceBounds(
                raised(estimated.l1Gas(), old.path("l1_gas")),
                raised(estimated.l2Gas(), old.path("l2_gas")),
                raised(data == null ? ResourceBound.NONE : data, old.path("l1_data_gas")));
    }

    private static ResourceBound raised(ResourceBound estimated, JsonNode old) {
        String price = old.path("max_price_per_unit").asString("0x0");
        BigInteger least = new BigInteger(price.substring(2), 16)
                .multiply(RAISE_PERCENT)
                .divide(HUNDRED)
                .add(BigInteger.ONE);
        return new ResourceBound(
                estimated.maxAmount(), estimated.maxPricePerUnit().max(least));
    }
}
