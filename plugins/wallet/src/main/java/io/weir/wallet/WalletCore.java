package io.weir.wallet;

import io.weir.api.MethodHandler;
import io.weir.api.PluginContext;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.key.SeedVault;
import io.weir.wallet.method.WalletApi;
import io.weir.wallet.method.WalletMethods;
import io.weir.wallet.page.DecisionHistory;
import io.weir.wallet.page.Sources;
import io.weir.wallet.request.RequestMemory;
import io.weir.wallet.request.Requests;
import io.weir.wallet.send.ChainRestarts;
import io.weir.wallet.send.Delivery;
import io.weir.wallet.send.DeploymentWatch;
import io.weir.wallet.send.FeeEstimator;
import io.weir.wallet.send.Remedies;
import io.weir.wallet.send.SenderQueues;
import io.weir.wallet.send.Sending;
import io.weir.wallet.send.StatusPoller;
import io.weir.wallet.send.TransactionSigner;
import io.weir.wallet.snap.SnapEndpoint;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.token.TokenReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that answers the wallet's calls, put together over one state. Thread-safe. */
final class WalletCore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WalletCore.class);
    private static final Duration FOR_SENDING = Duration.ofSeconds(30);
    /** A person waits for the page this much longer at most. */
    private static final Duration FOR_TOKENS = Duration.ofSeconds(2);

    /** A person waits for a deployment, which is looked at this often at least. */
    private static final long MAX_LOOKING_MILLIS = 1000;

    private final PluginContext context;
    private final WalletSettings settings;
    private final InstantSource clock;
    private final WalletDatabase database;
    private final L2Client client;
    private final TransactionTable transactions;
    private final RequestTable requests;
    private final StatusPoller poller;
    private final Remedies remedies;
    private final TokenReader tokens;
    private final List<MethodHandler> handlers;
    private final AtomicBoolean polling = new AtomicBoolean();

    /**
     * Puts it together.
     *
     * @param requests its database is the wallet's, and is closed with it
     * @param nanos a clock like {@link System#nanoTime}
     */
    WalletCore(
            PluginContext context,
            WalletSettings settings,
            SeedVault seeds,
            Approvals approvals,
            RequestTable requests,
            AuditLog audit,
            LongSupplier nanos) {
        this.context = context;
        this.settings = settings;
        this.requests = requests;
        this.clock = requests.clock();
        this.database = requests.database();
        AccountTable table = new AccountTable(database);
        transactions = new TransactionTable(database, clock);
        client = new L2Client(context.chain(), nanos);
        L2Networks networks = new L2Networks(context.chain(), WalletSettings.NETWORK_KIND);
        TenantKeys keys = new TenantKeys(seeds);
        Felt feeToken = Felt.parseHex(settings.feeToken());
        AccountKinds allKinds = settings.account().all();
        Accounts accounts = new Accounts(allKinds, keys, table);
        TransactionSigner signer = new TransactionSigner(keys, clock, context.meters());
        FeeEstimator fees = new FeeEstimator(client, signer, settings.feeMarginPercent());
        SenderQueues queues = new SenderQueues(context.executor());
        ChainRestarts restarts =
                new ChainRestarts(client, new ChainTable(database, clock), settings.pollInterval(), nanos);
        Delivery delivery = new Delivery(client, restarts, transactions, table, context.meters());
        Duration looking = Duration.ofMillis(Math.min(MAX_LOOKING_MILLIS, settings.pollMillis()));
        DeploymentWatch watch =
                new DeploymentWatch(client, table, context.executor(), context.scheduler(), nanos, looking);
        Sending sending = new Sending(client, signer, transactions, table, audit, delivery, queues, watch);
        remedies = new Remedies(networks, accounts, allKinds, fees, approvals, sending, feeToken, context.executor());
        poller = new StatusPoller(
                client, networks, restarts, transactions, delivery, queues, context.meters(), StatusPoller.BATCH);
        tokens = new TokenReader(client, feeToken, settings.namedTokens(), context.executor(), FOR_TOKENS);
        RequestMemory memory = new RequestMemory(requests, transactions, audit);
        WalletMethods methods = new WalletMethods(
                client,
                accounts,
                table,
                allKinds,
                keys,
                fees,
                sending,
                poller,
                transactions,
                new HistoryTable(database),
                new Requests(approvals, memory, FOR_SENDING.plus(DeploymentWatch.PATIENCE), clock),
                memory,
                feeToken,
                clock);
        SnapEndpoint endpoint = new SnapEndpoint(settings.identity(), networks, methods.all(), restarts::check);
        handlers = List.of(endpoint, new WalletApi(endpoint, accounts, client));
    }

    /** Returns the handlers of calls. */
    List<MethodHandler> handlers() {
        return handlers;
    }

    /** Returns what a person can do about transactions that are held up. */
    Remedies remedies() {
        return remedies;
    }

    /** Returns what the approvals page shows beside the requests. */
    Sources sources() {
        return new Sources(remedies, tokens, new AccountTable(database), new DecisionHistory(requests, transactions));
    }

    /** Opens the state and begins to look after transactions, at once with those that an earlier process left behind. */
    void start() {
        database.openIfThere();
        if (database.isOpen()) {
            requests.endOpen();
        }
        long millis = settings.pollInterval().toMillis();
        context.scheduler().scheduleWithFixedDelay(this::beginRound, 0, millis, TimeUnit.MILLISECONDS);
    }

    private void beginRound() {
        if (!database.isOpen() || !polling.compareAndSet(false, true)) {
            return;
        }
        try {
            context.executor().execute(this::round);
        } catch (RejectedExecutionException e) {
            polling.set(false);
        }
    }

    private void round() {
        try {
            poller.poll();
            Instant before = clock.instant().minus(Duration.ofDays(settings.retentionDays()));
            transactions.forgetSettledBefore(before);
            requests.forgetEndedBefore(before);
        } catch (RuntimeException e) {
            LOG.warn("transactions cannot be looked after: {}", e.getMessage());
        } finally {
            polling.set(false);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
