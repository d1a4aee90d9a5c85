package io.weir.wallet;

import io.weir.api.AdminPage;
import io.weir.api.MethodHandler;
import io.weir.api.PluginCommand;
import io.weir.api.PluginContext;
import io.weir.api.WeirPlugin;
import io.weir.wallet.state.WalletDatabase;
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
    private @Nullable Custody custody;
    private @Nullable WalletCore core;

    @Override
    public void provision(PluginContext context) {
        executor = context.executor();
        WalletSettings settings = context.settings(WalletSettings.class);
        WalletDatabase database = new WalletDatabase(context.dataFolder().resolve("wallet.db"));
        Custody guards = new Custody(context, settings, database);
        custody = guards;
        problems.addAll(
                settings.approvals().mismatches(context.callerNames(), context.networkNames(settings.networkKind())));
        core = new WalletCore(context, settings, database, guards.guards(), WalletCore.Clocks.SYSTEM);
        guards.offer(core.sources());
    }

    @Override
    public List<String> validate() {
        return List.copyOf(problems);
    }

    @Override
    public List<String> warnings() {
        return custody == null ? List.of() : custody.warnings();
    }

    @Override
    public List<MethodHandler> methodHandlers() {
        return core == null ? List.of() : core.handlers();
    }

    @Override
    public List<AdminPage> adminPages() {
        return custody == null ? List.of() : custody.pages();
    }

    @Override
    public List<PluginCommand> commands() {
        return custody == null ? List.of() : custody.commands();
    }

    @Override
    public void start() {
        if (custody != null) {
            custody.start();
        }
        if (core != null) {
            core.start();
        }
        // Opening seeds takes longer than a start may.
        executor.execute(() -> warnings().forEach(LOG::warn));
    }

    @Override
    public void drain() {
        if (custody != null) {
            custody.drain();
        }
    }

    @Override
    public void close() {
        if (core != null) {
            core.close();
        }
        if (custody != null) {
            custody.close();
        }
    }
}
