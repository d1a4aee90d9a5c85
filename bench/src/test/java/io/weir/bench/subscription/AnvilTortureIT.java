package io.weir.bench.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.bench.load.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnvilTortureIT {

    @Test
    void noClientMissesAnythingWhileRealNodesAreKilledAndTheirChainReorganises() throws Exception {
        Path checkout = Options.of(true, Path.of("")).checkout();
        Path jar = checkout.resolve("proxy-core/target/weir.jar");
        assertThat(jar).as("the built proxy (`mvn package` makes it)").isRegularFile();
        Path anvil = AnvilTorture.installed(checkout);
        assumeTrue(anvil != null, "anvil is not installed: run `npm ci` in proxy-core/src/test/npm");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        boolean good = AnvilTorture.run(
                List.of("--short", "--jar", jar.toString(), "--anvil", String.valueOf(anvil)),
                new PrintStream(out, true, UTF_8));

        String told = out.toString(UTF_8);
        assertThat(good).as(told).isTrue();
        assertThat(told).containsPattern("of which [1-9][0-9]* forced failovers");
        System.out.println(told);
    }
}
