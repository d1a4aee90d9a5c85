package io.weir.bench.failover;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.bench.load.Options;
import io.weir.bench.subscription.AnvilTorture;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFailoverIT {

    @Test
    void noRepeatableCallFailsWhileNodesAreKilledStoppedSlowedAndCut() throws Exception {
        Path checkout = Options.of(true, Path.of("")).checkout();
        Path jar = checkout.resolve("proxy-core/target/weir.jar");
        assertThat(jar).as("the built proxy (`mvn package` makes it)").isRegularFile();
        Path anvil = AnvilTorture.installed(checkout);
        assumeTrue(anvil != null, "anvil is not installed: run `npm ci` in proxy-core/src/test/npm");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        boolean good = NodeFailover.run(
                List.of("--short", "--jar", jar.toString(), "--anvil", String.valueOf(anvil)),
                new PrintStream(out, true, UTF_8));

        String told = out.toString(UTF_8);
        assertThat(good).as(told).isTrue();
        assertThat(told).contains("1 times KILLED", "1 times STOPPED", "1 times SLOWED", "1 times CUT");
        System.out.println(told);
    }
}
