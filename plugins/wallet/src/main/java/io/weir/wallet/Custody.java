package io.weir.wallet;

import com.typesafe.config.Config;
import io.weir.api.AdminPage;
import io.weir.api.PluginCommand;
import io.weir.api.PluginContext;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.command.SeedCommand;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedSettings;
import io.weir.wallet.key.SeedVault;
import io.weir.wallet.page.ApprovalsPage;
import io.weir.wallet.send.Remedies;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The guard of the tenants' accounts: the seeds, their commands, the approvals and their page. Thread-safe. */
final class Custody implements AutoCloseable {

    private final List<String> problems = new ArrayList<>();
    private final FileSeedVault seeds;
    private final ApprovalQueue approvals;
    private final ApprovalsPage page;
    private final SecureRandom random = new SecureRandom();

    Custody(PluginContext context) {
        Config settings = context.settings();
        SeedSettings forSeeds = SeedSettings.read(settings, System::getenv, problems);
        ApprovalSettings forApprovals = ApprovalSettings.read(settings, problems);
        seeds = new FileSeedVault(context.dataFolder().resolve("seeds"), forSeeds, random);
        Clock clock = Clock.systemUTC();
        approvals = new ApprovalQueue(forApprovals, context.dataFolder(), context.scheduler(), clock, context.meters());
        page = new ApprovalsPage(context.pluginId(), approvals, forApprovals, clock, System::nanoTime, random);
    }

    /** Returns the problems of the settings, one line each. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    SeedVault seeds() {
        return seeds;
    }

    Approvals approvals() {
        return approvals;
    }

    /** From now on, the page can replace transactions. */
    void offer(Remedies remedies) {
        page.offer(remedies);
    }

    List<AdminPage> pages() {
        return List.of(page);
    }

    List<PluginCommand> commands() {
        return SeedCommand.all(seeds, random, System.in);
    }

    /** Refuses what waits for a person, for the proxy stops. */
    void drain() {
        approvals.drain();
    }

    @Override
    public void close() {
        approvals.close();
        seeds.close();
    }
}
