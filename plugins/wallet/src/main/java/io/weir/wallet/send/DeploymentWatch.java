package io.weir.wallet.send;

import io.weir.api.RpcException;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.chain.NetworkStatus.Stage;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.state.AccountTable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Waits until accounts are deployed, holding no thread in between. Thread-safe.
 *
 * @param nanoClock a clock like {@link System#nanoTime}
 * @param interval how often it looks
 */
public record DeploymentWatch(
        L2Client client,
        AccountTable accounts,
        Executor executor,
        ScheduledExecutorService scheduler,
        LongSupplier nanoClock,
        Duration interval) {
    /** The time for one account's deployment: several blocks, and less than callers wait for an answer. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * Gives the account, on the executor, once it is deployed. Fails with an {@link RpcException} when the network refuses the
     * deployment or has not carried it out in time.
     */
    CompletionStage<WalletAccount> untilDeployed(WalletAccount account) {
        CompletableFuture<WalletAccount> result = new CompletableFuture<>();
        long deadline = nanoClock.getAsLong() + PATIENCE.toNanos();
        lookSoon(account, deadline, result);
        return result;
    }

    private void lookSoon(WalletAccount account, long deadline, CompletableFuture<WalletAccount> result) {
        try {
            executor.execute(() -> look(account, deadline, result));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(e);
        }
    }

    private void look(WalletAccount account, long deadline, CompletableFuture<WalletAccount> result) {
        try {
            if (isDeployed(account)) {
                result.complete(account);
            } else if (nanoClock.getAsLong() - deadline > 0) {
                result.completeExceptionally(
                        SnapErrors.failed("the account's deployment is sent, but not in a block yet (expected: within "
                                + PATIENCE.toSeconds() + " s; try again later)"));
            } else {
                scheduler.schedule(
                        () -> lookSoon(account, deadline, result), interval.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    private boolean isDeployed(WalletAccount account) {
        if (client.classHashAt(account.network(), account.address()).isPresent()) {
            return true;
        }
        Optional<NetworkStatus> status = accounts.deployment(
                        account.tenant(), account.network().chainId(), account.address())
                .flatMap(hash -> client.status(account.network(), hash));
        status.filter(known -> known.failureReason() != null).ifPresent(failed -> {
            throw SnapErrors.failed("the account's deployment failed: " + failed.failureReason());
        });
        return status.map(NetworkStatus::stage)
                .filter(stage -> stage == Stage.PENDING || stage == Stage.ACCEPTED_ON_L2)
                .isPresent();
    }
}
