package io.weir.wallet;

import io.weir.api.AdminPage;
import io.weir.api.MethodHandler;
import io.weir.api.PluginCommand;
import io.weir.api.PluginContext;
import io.weir.api.WeirPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.pf4j.Extension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wallet's entrance: {@code wallet_invokeSnap}, the approvals page and the commands. Confined to the host's thread, as the API
 * says.
 */
@Extension
public final class WalletPlugin implements WeirPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(WalletPlugin.class);

    private final List<String> problems = new ArrayList<>();
    private Executor executor = Runnable::run;
    private @Nullable Wallet wallet;

    @Override
    public void provision(PluginContext context) {
        executor = context.executor();
        WalletSettings settings = context.settings(WalletSettings.class);
        wallet = new Wallet(context, settings);
        problems.addAll(settings.approvals()
                .mismatches(context.callerNames(), context.networkNames(WalletSettings.NETWORK_KIND)));
    }

    @Override
    public List<String> validate() {
        return List.copyOf(problems);
    }

    @Override
    public List<String> warnings() {
        return wallet == null ? List.of() : wallet.warnings();
    }

    @Override
    public List<MethodHandler> methodHandlers() {
        return wallet == null ? List.of() : wallet.handlers();
    }

    @Override
    public List<AdminPage> adminPages() {
        return wallet == null ? List.of() : wallet.pages();
    }

    @Override
    public List<PluginCommand> commands() {
        return wallet == null ? List.of() : wallet.commands();
    }

    @Override
    public void start() {
        if (wallet != null) {
            wallet.start();
        }
        // Opening seeds takes longer than a start may.
        executor.execute(() -> warnings().forEach(LOG::warn));
    }

    @Override
    public void drain() {
        if (wallet != null) {
            wallet.drain();
        }
    }

    @Override
    public void close() {
        if (wallet != null) {
            wallet.close();
        }
    }
}
