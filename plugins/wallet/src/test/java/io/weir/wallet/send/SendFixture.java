package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKind;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.CountingMeters;
import io.weir.wallet.testing.HandClock;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.TestSeeds;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** What carries transactions, over a chain in the test's process; everything is done at once, on the test's thread. */
final class SendFixture implements AutoCloseable {
    static final L2Network NETWORK = new L2Network("sepolia", ScriptedNode.CHAIN_ID);
    static final AccountKind KIND =
            new AccountKind("usual", Felt.of(9), List.of("public-key"), List.of(), "", List.of(), false);

    final LedgerChain chain = new LedgerChain();
    final CountingMeters meters = new CountingMeters();
    final TransactionTable transactions;
    final AccountTable accounts;
    final HandClock clock = new HandClock(Instant.EPOCH);
    final ChainRestarts restarts;
    final Delivery delivery;
    final Sending sending;
    final FeeEstimator fees;
    final TransactionSigner signer;
    final WalletAccount account;
    Instant now = Instant.parse("2026-01-10T00:00:00Z");
    final WalletDatabase database;
    final L2Client client;
    private int drafts;
    private int approvals;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    SendFixture(Path folder) {
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        transactions = new TransactionTable(database, () -> now);
        accounts = new AccountTable(database);
        client = new L2Client(chain, System::nanoTime);
        TenantKeys keys = new TenantKeys(new TestSeeds());
        signer = new TransactionSigner(keys, () -> now, meters);
        restarts = new ChainRestarts(client, new ChainTable(database, () -> now), Duration.ofSeconds(5), clock::nanos);
        delivery = new Delivery(client, restarts, transactions, accounts, meters);
        fees = new FeeEstimator(client, signer, 50);
        sending = new Sending(
                client,
                signer,
                transactions,
                accounts,
                AuditLog.off(),
                delivery,
                new SenderQueues(Runnable::run, 10),
                new DeploymentWatch(
                        client, accounts, Runnable::run, scheduler, System::nanoTime, Duration.ofMillis(5)));
        Felt key = keys.publicKey("demo", 0);
        account = new WalletAccount("demo", NETWORK, KIND, 0, key, KIND.address(key));
    }

    /** Puts the account on the chain, as if it had been there always. */
    SendFixture deployed() {
        chain.addContract(account.address(), KIND.classHash(), account.publicKey());
        return this;
    }

    /** A call that the account is to make, each time another. */
    Draft draft() {
        NamedCall call = new NamedCall(ScriptedNode.TOKEN, "transfer", List.of(Felt.of(++drafts)));
        return Draft.invocation(account, KIND, List.of(call));
    }

    /** What a call costs; with the account's deployment before it where that is not there. */
    Quote quote(boolean there) {
        return fees.invocation(
                draft(), there ? FeeEstimator.Deployment.DONE : FeeEstimator.Deployment.NEEDED, BigInteger.ZERO);
    }

    /** Sends; the failure is one of the call. */
    CompletableFuture<Felt> send(Quote quote) {
        return sending.send(quote, "approval " + ++approvals).toCompletableFuture();
    }

    /** Sends one call of the account, which is on the chain. */
    Felt pay() {
        return send(quote(true)).join();
    }

    /** Sends one call and lets the chain and the wallet bring it to its end. */
    Felt settled() {
        Felt hash = pay();
        chain.advance();
        chain.advance();
        delivery.settle(NETWORK, stored(hash));
        return hash;
    }

    /** Moves both clocks on. */
    void pass(Duration time) {
        clock.pass(time);
        now = now.plus(time);
    }

    boolean isStored(Felt hash) {
        return new HistoryTable(database).isStored(NETWORK.chainId(), hash);
    }

    /** What a sending failed with. */
    static RpcException failure(CompletableFuture<Felt> sent) {
        return (RpcException) sent.handle((hash, failure) -> failure).join();
    }

    /** A transaction that is signed and stored and was given to nobody. */
    StoredTransaction prepared(long nonce) {
        StoredTransaction transaction =
                signer.prepare(draft(), nonce, quote(true).bounds().get(0), Approval.NONE);
        transactions.prepare(transaction);
        return transaction;
    }

    /** How far a transaction has come, as it is stored. */
    TransactionState state(Felt hash) {
        return stored(hash).state();
    }

    StoredTransaction stored(Felt hash) {
        return transactions.find("demo", NETWORK.chainId(), hash).orElseThrow();
    }

    /** The nonces of what the chain has taken. */
    List<Long> nonces() {
        return chain.nonces(account.address());
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        database.close();
    }
}
