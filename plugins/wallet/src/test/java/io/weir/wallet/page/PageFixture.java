package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Selector;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StoredAccount;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.TokenChain;
import io.weir.wallet.token.TokenReader;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** The pages over a queue, a database and a chain with one token. Thread-safe. */
final class PageFixture implements AutoCloseable {
    static final Felt FEE_TOKEN = Felt.parseHex("0xfee");

    final TokenChain chain = new TokenChain()
            .answer(ApprovalFixture.TOKEN, "symbol", ShortString.encode("USDC"))
            .answer(ApprovalFixture.TOKEN, "decimals", Felt.of(6))
            .answer(ApprovalFixture.TOKEN, "balanceOf", Felt.of(5_000_000_000L), Felt.ZERO)
            .answer(FEE_TOKEN, "balanceOf", Felt.of(12_345_678_900_000_000L), Felt.ZERO);
    final ApprovalFixture approvals;
    final ApprovalsPage page;
    final WalletDatabase database;
    final RequestTable requests;
    final TransactionTable transactions;
    private volatile Instant now = Instant.parse("2026-11-24T06:00:00Z");

    PageFixture(Path folder) {
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                return now;
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
        approvals = ApprovalFixture.of(folder, clock, "");
        database = approvals.database();
        requests = new RequestTable(database, clock);
        transactions = new TransactionTable(database, clock);
        page = new ApprovalsPage(
                "wallet", approvals.queue(), approvals.settings(), clock, System::nanoTime, new SecureRandom());
        page.offer(new Sources(
                null,
                new TokenReader(
                        new L2Client(chain, System::nanoTime),
                        FEE_TOKEN,
                        Map.of(),
                        Runnable::run,
                        Duration.ofSeconds(60)),
                new AccountTable(database),
                new DecisionHistory(requests, transactions)));
    }

    /** Lets time pass for everything but the deadlines of requests. */
    void pass(Duration time) {
        now = now.plus(time);
    }

    /** Stores the account of the requests as one of a tenant. */
    void storeAccount(String tenant, int index) {
        new AccountTable(database)
                .put(new StoredAccount(
                        tenant,
                        ShortString.encode("SN_SEPOLIA"),
                        ApprovalFixture.ACCOUNT,
                        "usual",
                        index,
                        Felt.ONE,
                        Felt.ONE,
                        Felt.ZERO,
                        false,
                        false));
    }

    /** Stores a transaction that was signed for an approval. */
    StoredTransaction sign(String approval) {
        StoredTransaction signed = new StoredTransaction(
                "demo",
                ShortString.encode("SN_SEPOLIA"),
                Selector.of(approval),
                TransactionType.INVOKE,
                ApprovalFixture.ACCOUNT,
                4,
                List.of(new NamedCall(ApprovalFixture.TOKEN, "transfer", List.of())),
                BigInteger.ONE,
                "{}",
                TransactionState.PREPARED,
                "",
                now,
                new StoredTransaction.Approval(approval, 0));
        transactions.prepare(signed);
        return signed;
    }

    @Override
    public void close() {
        approvals.close();
    }
}
