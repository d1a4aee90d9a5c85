package io.weir.bench.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.load.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscriptionTortureIT {

    @Test
    void noClientMissesAnythingWhileNodesAreLostAndTheChainReorganises() throws Exception {
        Path jar = Options.of(true, Path.of("")).checkout().resolve("proxy-core/target/weir.jar");
        assertThat(jar).as("the built proxy (`mvn package` makes it)").isRegularFile();
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        boolean good =
                SubscriptionTorture.run(List.of("--short", "--jar", jar.toString()), new PrintStream(out, true, UTF_8));

        String told = out.toString(UTF_8);
        assertThat(good).as(told).isTrue();
        System.out.println(told);
    }
}
