package io.weir.wallet;

import com.typesafe.config.Config;
import io.weir.api.AdminPage;
import io.weir.api.PluginCommand;
import io.weir.api.PluginContext;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.command.AuditCommand;
import io.weir.wallet.command.SeedCommand;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedSettings;
import io.weir.wallet.page.ApprovalsPage;
import io.weir.wallet.page.Sources;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The guard of the tenants' accounts: the seeds, the approvals and their page, the audit log, and the commands. Thread-safe. */
final class Custody implements AutoCloseable {

    private final List<String> problems = new ArrayList<>();
    private final FileSeedVault seeds;
    private final ApprovalQueue approvals;
    private final ApprovalsPage page;
    private final @Nullable Path auditFile;
    private final AuditLog audit;
    private final Set<String> tenants;
    private final SecureRandom random = new SecureRandom();

    Custody(PluginContext context) {
        Config settings = context.settings();
        tenants = context.callerNames();
        SeedSettings forSeeds = SeedSettings.read(settings, System::getenv, problems);
        ApprovalSettings forApprovals = ApprovalSettings.read(settings, problems);
        problems.addAll(forApprovals.mismatches(tenants, context.networkNames(settings.getString("network-kind"))));
        seeds = new FileSeedVault(context.dataFolder().resolve("seeds"), forSeeds, random);
        Clock clock = Clock.systemUTC();
        auditFile = auditFile(settings.getString("audit.file"), context.dataFolder(), problems);
        audit = auditFile == null ? AuditLog.off() : AuditLog.of(auditFile, context.executor(), clock);
        approvals = new ApprovalQueue(
                forApprovals, context.dataFolder(), context.scheduler(), clock, context.meters(), audit);
        page = new ApprovalsPage(context.pluginId(), approvals, forApprovals, clock, System::nanoTime, random);
    }

    /** Returns the problems of the settings, one line each. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    private static @Nullable Path auditFile(String name, Path folder, List<String> problems) {
        try {
            return name.isEmpty() ? null : folder.resolve(name);
        } catch (InvalidPathException e) {
            problems.add("audit.file: " + name + " (expected: the path of a file)");
            return null;
        }
    }

    WalletCore.Guards guards() {
        return new WalletCore.Guards(seeds, approvals, audit);
    }

    /** Opens the audit log. */
    void start() {
        audit.start();
    }

    /** From now on, the page shows what the wallet knows. */
    void offer(Sources sources) {
        page.offer(sources);
    }

    List<AdminPage> pages() {
        return List.of(page);
    }

    List<PluginCommand> commands() {
        List<PluginCommand> commands = new ArrayList<>(SeedCommand.all(seeds, tenants, random, System.in));
        commands.add(new AuditCommand(auditFile));
        return commands;
    }

    /** Refuses what waits for a person, for the proxy stops. */
    void drain() {
        approvals.drain();
    }

    @Override
    public void close() {
        approvals.close();
        audit.close();
        seeds.close();
    }
}
