package io.weir.bench.load;

import io.weir.bench.load.report.Journal;
import io.weir.bench.load.server.Tool;
import io.weir.bench.load.server.Workshop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The machine and the programs of a run. Pure but for what it reads. */
final class Machine {

    private static final double BUSY = 0.5;

    private Machine() {}

    static void describe(Journal journal, Workshop workshop, Options options) {
        int processors = workshop.pinning().processors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        journal.fact("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        journal.fact(
                "machine",
                processors + " processors, " + line("/proc/cpuinfo", "model name") + ", "
                        + line("/proc/meminfo", "MemTotal"));
        journal.fact("system", first(Tool.output("uname", "-sr")));
        journal.fact(
                "load before the run",
                load + (load > BUSY ? " — **the machine was busy: no figure here counts**" : ""));
        journal.fact("held to processors", workshop.pinning().words());
        journal.fact(
                "run",
                (options.isShort() ? "short: shows that it works, no figure here counts" : "full") + "; "
                        + options.pace().turns() + " turns of "
                        + options.pace().time().toMillis() + " ms, "
                        + options.connections() + " connections");
        journal.fact(
                "Weir",
                first(Tool.output("git", "-C", workshop.checkout().toString(), "describe", "--always", "--dirty"))
                        + ", Java " + Runtime.version() + ", flags: " + workshop.variants());
        for (Tool tool : Tool.values()) {
            if (tool.isThere()) {
                journal.fact(tool.toString(), tool.version());
            } else {
                journal.skip(tool.toString(), tool.missing());
            }
        }
    }

    private static String first(List<String> lines) {
        return lines.isEmpty() ? "unknown" : lines.get(0);
    }

    private static String line(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(name + " unknown");
        } catch (IOException e) {
            return name + " unknown";
        }
    }
}
