package io.weir.bench.load.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The resources that a process and its children have taken, as the system counts. Immutable.
 *
 * @param residentBytes memory now; 0 where the system does not say
 * @param peakBytes the most memory since the start, or since it was last forgotten
 * @param processorTime on all processors together
 */
public record ProcessFigures(long residentBytes, long peakBytes, Duration processorTime) {

    static ProcessFigures of(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .map(ProcessFigures::one)
                .reduce(new ProcessFigures(0, 0, Duration.ZERO), ProcessFigures::plus);
    }

    static void resetPeak(ProcessHandle process) {
        Stream.concat(Stream.of(process), process.descendants()).forEach(one -> {
            try {
                Files.writeString(Path.of("/proc/" + one.pid() + "/clear_refs"), "5");
            } catch (IOException expected) {
                // The peak is then that since the start.
            }
        });
    }

    /** Microseconds on processors since earlier figures, for each of some requests. */
    public double microsPerRequest(ProcessFigures before, long requests) {
        return processorTime.minus(before.processorTime).toNanos() / 1e3 / Math.max(1, requests);
    }

    private static ProcessFigures one(ProcessHandle process) {
        Duration time = process.info().totalCpuDuration().orElse(Duration.ZERO);
        try {
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
            return new ProcessFigures(bytes(status, "VmRSS:"), bytes(status, "VmHWM:"), time);
        } catch (IOException expected) {
            // No such system, or the process has ended.
            return new ProcessFigures(0, 0, time);
        }
    }

    private static long bytes(String status, String name) {
        int at = status.indexOf(name);
        if (at < 0) {
            return 0;
        }
        String line = status.substring(at + name.length(), status.indexOf('\n', at));
        return Long.parseLong(line.replace("kB", "").strip()) * 1024;
    }

    private ProcessFigures plus(ProcessFigures other) {
        return new ProcessFigures(
                residentBytes + other.residentBytes,
                peakBytes + other.peakBytes,
                processorTime.plus(other.processorTime));
    }
}
