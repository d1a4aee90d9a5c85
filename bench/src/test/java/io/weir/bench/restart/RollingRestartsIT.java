package io.weir.bench.restart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.bench.load.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class RollingRestartsIT {

    @Test
    @EnabledIfSystemProperty(
            named = "weir.restarts",
            matches = "true",
            disabledReason =
                    "two proxies, a balancer and their clients need a quiet machine: run with -Dweir.restarts=true")
    void noCallFailsAndNoSubscriberMissesAnythingAtReloadsAndRestarts() throws Exception {
        Path jar = Options.of(true, Path.of("")).checkout().resolve("proxy-core/target/weir.jar");
        assertThat(jar).as("the built proxy (`mvn package` makes it)").isRegularFile();
        assumeTrue(RollingRestarts.isPossible(), "haproxy is not installed: apt-get install haproxy");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        boolean good =
                RollingRestarts.run(List.of("--short", "--jar", jar.toString()), new PrintStream(out, true, UTF_8));

        String told = out.toString(UTF_8);
        assertThat(good).as(told).isTrue();
        assertThat(told).contains("10 reloads", "4 restarts");
        System.out.println(told);
    }
}
