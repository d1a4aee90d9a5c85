package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StoredRequest;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chain that begins again while transactions are given to it, and what is stored while its archive is prepared. */
class RestartRaceTest {
    private static final String STATUS = "starknet_getTransactionStatus";

    @TempDir
    Path folder;

    private SendFixture wallet;
    private L2Network network;
    private RequestTable requests;

    @BeforeEach
    void open() {
        wallet = new SendFixture(folder).deployed();
        wallet.chain.allowGaps();
        network = wallet.account.network();
        requests = new RequestTable(wallet.database, () -> wallet.now);
        wallet.restarts.check(network);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    /** The wallet sees the chain, which begins again then. */
    private void startAgain(Duration later) {
        wallet.pass(later);
        wallet.restarts.check(network);
        wallet.chain.startAgain();
        wallet.deployed();
    }

    private boolean isKnown(Felt hash) {
        return wallet.client.status(network, hash).isPresent();
    }

    @Test
    void aPaymentGivesNoneOfTheTransactionsThatWereInBlocksOfTheOldChainToTheNewOne() {
        Felt first = wallet.settled();
        Felt second = wallet.settled();
        startAgain(Duration.ofSeconds(6));
        wallet.pass(Duration.ofSeconds(6));
        Felt onNewChain = wallet.pay();

        assertThat(isKnown(first)).isFalse();
        assertThat(isKnown(second)).isFalse();
        assertThat(wallet.stored(onNewChain).nonce()).isZero();
    }

    @Test
    void anArchivedTransactionIsNotGivenToTheNewChain() {
        StoredTransaction first = wallet.stored(wallet.pay());
        StoredTransaction second = wallet.stored(wallet.pay());
        startAgain(Duration.ofSeconds(6));

        assertThatThrownBy(() -> wallet.delivery.settle(network, first)).isInstanceOf(RpcException.class);
        assertThatThrownBy(() -> wallet.delivery.settle(network, second))
                .isInstanceOf(RpcException.class)
                .hasMessage("not sent: the chain began again since the transaction was signed, or it has moved on");
        assertThat(wallet.nonces()).isEmpty();
    }

    @Test
    void aTransactionThatIsArchivedBeforeItIsGivenAtAllIsNotSent() {
        StoredTransaction signed = wallet.prepared(0);
        startAgain(Duration.ofSeconds(6));
        wallet.pass(Duration.ofSeconds(6));
        wallet.restarts.check(network);

        assertThatThrownBy(() -> wallet.delivery.give(network, signed)).hasMessageStartingWith("not sent:");
        assertThat(wallet.nonces()).isEmpty();
    }

    @Test
    void aTransactionThatMovedOnInTheMeantimeIsNotGivenAgain() {
        StoredTransaction signed = wallet.prepared(0);
        wallet.transactions.move(signed, TransactionState.REJECTED, "no money");
        assertThatThrownBy(() -> wallet.delivery.give(network, signed)).hasMessageStartingWith("not sent:");
        assertThat(wallet.nonces()).isEmpty();
    }

    @Test
    void archivedTransactionsOfUnknownOutcomeDelayNoPayment() {
        StoredTransaction first = wallet.prepared(0);
        StoredTransaction second = wallet.prepared(1);
        startAgain(Duration.ofSeconds(6));
        Felt onNewChain = wallet.pay();

        assertThat(wallet.isStored(first.hash()) || wallet.isStored(second.hash()))
                .isFalse();
        assertThat(wallet.nonces()).containsExactly(0L);
        assertThat(wallet.stored(onNewChain).nonce()).isZero();
    }

    @Test
    void aRoundThatWasReadBeforeTheRestartWasNoticedGivesNothingToTheNewChain() {
        Felt first = wallet.pay();
        Felt second = wallet.pay();
        wallet.pass(Duration.ofSeconds(70));
        startAgain(Duration.ZERO);
        L2Networks networks = new L2Networks(wallet.chain, "l2");
        SenderQueues queues = new SenderQueues(Runnable::run, 10);
        new StatusPoller(
                        wallet.client,
                        networks,
                        wallet.restarts,
                        wallet.transactions,
                        wallet.delivery,
                        queues,
                        wallet.meters,
                        100)
                .poll();

        assertThat(isKnown(first) || isKnown(second)).isFalse();
        assertThat(wallet.isStored(first) || wallet.isStored(second)).isFalse();
    }

    /** A watch during whose first question for a status something happens. */
    private ChainRestarts watch(Runnable meanwhile) {
        List<String> asked = new ArrayList<>();
        HookedChain hooked = new HookedChain(wallet.chain, (method, params) -> {
            if (method.equals(STATUS) && asked.isEmpty()) {
                asked.add(method);
                meanwhile.run();
            }
            return null;
        });
        return new ChainRestarts(
                new L2Client(hooked, System::nanoTime),
                new ChainTable(wallet.database, () -> wallet.now),
                Duration.ofSeconds(5),
                wallet.clock::nanos);
    }

    private void begin(String approval, String id) {
        requests.begin(new StoredRequest(approval, "demo", id, "sendTransaction", network.chainId(), "f", wallet.now));
        requests.move(approval, RequestState.SUBMITTED, "{}", 0, "");
    }

    @Test
    void aTransactionThatIsSentWhileTheArchiveIsPreparedStaysWithItsRequest() {
        Felt old = wallet.settled();
        begin("approval 1", "invoice-6");
        startAgain(Duration.ofMinutes(11));
        wallet.pass(Duration.ofSeconds(6));
        List<Felt> sent = new ArrayList<>();
        watch(() -> {
                    wallet.pass(Duration.ofMillis(5));
                    sent.add(wallet.pay());
                    begin("approval 2", "invoice-7");
                })
                .check(network);

        assertThat(wallet.isStored(old)).isFalse();
        assertThat(wallet.isStored(sent.get(0))).isTrue();
        assertThat(requests.find("demo", "invoice-6")).isEmpty();
        assertThat(requests.find("demo", "invoice-7")).isPresent();
    }

    @Test
    void anAccountThatIsRecoveredAndARequestThatEndsWhileTheArchiveIsPreparedStay() {
        wallet.settled();
        WalletAccount account = wallet.account;
        Felt chainId = network.chainId();
        wallet.accounts.put(account.deployedBy(Felt.of(77)));
        startAgain(Duration.ofMinutes(11));
        wallet.pass(Duration.ofSeconds(6));
        watch(() -> {
                    wallet.pass(Duration.ofMillis(5));
                    wallet.accounts.put(account.deployedBy(Felt.of(78)));
                    begin("approval 9", "without-a-transaction");
                })
                .check(network);

        assertThat(wallet.accounts.deployment("demo", chainId, account.address()))
                .contains(Felt.of(78));
        assertThat(requests.find("demo", "without-a-transaction")).isPresent();
    }

    @Test
    void asLongAsOneThreadPreparesTheArchiveAPaymentWaitsForIt() throws Exception {
        wallet.settled();
        startAgain(Duration.ofMinutes(11));
        wallet.pass(Duration.ofSeconds(6));
        CountDownLatch other = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        List<Boolean> same = new ArrayList<>();
        ChainRestarts[] watch = new ChainRestarts[1];
        watch[0] = watch(() -> {
            Thread thread = new Thread(() -> {
                same.add(watch[0].isSame(network));
                other.countDown();
            });
            threads.add(thread);
            thread.start();
            while (thread.getState() != Thread.State.WAITING && other.getCount() > 0) {
                Thread.onSpinWait();
            }
            assertThat(other.getCount()).as("it waits").isEqualTo(1);
        });
        watch[0].check(network);
        assertThat(other.await(30, TimeUnit.SECONDS)).isTrue();
        threads.get(0).join();

        assertThat(same).containsExactly(false);
    }
}
