package io.weir.bench.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.load.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileLoadIT {

    private static final Path JAR = Options.of(true, Path.of("")).checkout().resolve("proxy-core/target/weir.jar");

    @ParameterizedTest
    @ValueSource(strings = {"--seed 1", "--seed 2 --tls"})
    void hostileClientsLeaveNothingBehind(String options) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String short10 = " --seconds 10 --step 5 --clients 24 --jar " + JAR;

        HostileLoad.run(List.of((options + short10).split(" ")), new PrintStream(out, true, UTF_8));

        // How much a process grows in its first seconds says nothing.
        assertThat(out.toString(UTF_8)).contains("good: budgets", "good: counted", "good: log");
    }
}
