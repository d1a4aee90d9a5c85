package io.weir.wallet;

import io.weir.api.AdminPage;
import io.weir.api.MethodHandler;
import io.weir.api.PluginCommand;
import io.weir.api.PluginContext;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.command.AuditCommand;
import io.weir.wallet.command.SeedCommands;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.page.ApprovalsPage;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.WalletDatabase;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole wallet: what answers calls, and what guards the tenants' accounts, which are the seeds, the approvals and their page, the
 * audit log, and the commands. Thread-safe.
 */
final class Wallet implements AutoCloseable {

    private final FileSeedVault seeds;
    private final ApprovalQueue approvals;
    private final ApprovalsPage page;
    private final WalletCore core;
    private final @Nullable Path auditFile;
    private final AuditLog audit;
    private final ApprovalSettings forApprovals;
    private final Set<String> tenants;
    private final SecureRandom random = new SecureRandom();

    Wallet(PluginContext context, WalletSettings settings) {
        WalletDatabase database = new WalletDatabase(context.dataFolder().resolve("wallet.db"));
        tenants = context.callerNames();
        seeds = new FileSeedVault(context.dataFolder().resolve("seeds"), settings.seeds(), System::getenv, random);
        Clock clock = Clock.systemUTC();
        auditFile = settings.auditFile().isEmpty() ? null : context.dataFolder().resolve(settings.auditFile());
        audit = auditFile == null ? AuditLog.off() : AuditLog.of(auditFile, context.executor(), clock);
        forApprovals = settings.approvals();
        RequestTable requests = new RequestTable(database, clock);
        approvals = new ApprovalQueue(forApprovals, requests, context.scheduler(), clock, context.meters(), audit);
        page = new ApprovalsPage(context.pluginId(), approvals, forApprovals, clock, System::nanoTime, random);
        core = new WalletCore(context, settings, seeds, approvals, requests, audit, System::nanoTime);
        page.offer(core.sources());
    }

    /**
     * Says what will not work as configured, one line each; nothing where nobody uses the wallet. Opens some of the seeds, which takes up to a
     * second each.
     */
    List<String> warnings() {
        List<String> lines = new ArrayList<>();
        if (forApprovals.isWritten() || seeds.hasSeeds()) {
            lines.addAll(forApprovals.warnings(tenants));
            lines.addAll(seeds.warnings(tenants));
        }
        return lines;
    }

    /** Opens the audit log and the state, and begins to look after transactions. */
    void start() {
        audit.start();
        core.start();
    }

    List<MethodHandler> handlers() {
        return core.handlers();
    }

    List<AdminPage> pages() {
        return List.of(page);
    }

    List<PluginCommand> commands() {
        List<PluginCommand> commands = new ArrayList<>(SeedCommands.all(seeds, tenants, random, System.in));
        commands.add(new AuditCommand(auditFile));
        return commands;
    }

    /** Refuses what waits for a person, for the proxy stops. */
    void drain() {
        approvals.drain();
    }

    @Override
    public void close() {
        core.close();
        approvals.close();
        audit.close();
        seeds.close();
    }
}
