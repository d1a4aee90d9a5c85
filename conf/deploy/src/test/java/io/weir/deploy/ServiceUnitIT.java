package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit for systemd, checked by systemd's own tool. */
final class ServiceUnitIT {

    @TempDir
    private Path folder;

    private Path unit;

    @BeforeEach
    void write() throws IOException {
        Machine.assumeProgram("systemd-analyze", "apt-get install systemd");
        Path deploy = Checkout.find().root().resolve("conf/deploy");
        String text = Files.readString(deploy.resolve("weir.service"));
        assertThat(text).contains("/opt/weir/bin/weir");
        unit = Files.writeString(
                folder.resolve("weir.service"),
                text.replace("/opt/weir/bin/weir", deploy.resolve("bin/weir").toString()));
    }

    @Test
    void systemdFindsNoMistake() {
        List<String> verify = List.of("systemd-analyze", "verify", "--man=no", unit.toString());
        try (ChildProcess run = ChildProcess.start("systemd-analyze", folder, Map.of(), verify)) {
            assertThat(run.awaitExit(Unpacked.PATIENCE)).as(run.told()).isZero();
            // Unknown settings are told, and fail nothing.
            assertThat(run.err()).noneMatch(line -> line.contains("weir.service"));
        }
    }

    @Test
    void theExposureOfTheServiceIsLow() {
        Unpacked.run(
                folder,
                "systemd-analyze",
                "security",
                "--no-pager",
                "--offline=true",
                "--threshold=20",
                unit.toString());
    }
}
