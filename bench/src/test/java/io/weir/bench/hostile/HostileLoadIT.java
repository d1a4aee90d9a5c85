package io.weir.bench.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.load.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostileLoadIT {

    private static final Path JAR = Options.of(true, Path.of("")).checkout().resolve("proxy-core/target/weir.jar");

    @Test
    void hostileClientsLeaveNothingBehind() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String options = "--seed 2 --tls --seconds 8 --step 4 --clients 24 --jar " + JAR;

        HostileLoad.run(List.of(options.split(" ")), new PrintStream(out, true, UTF_8));

        // How much a process grows in its first seconds says nothing.
        assertThat(out.toString(UTF_8)).contains("good: budgets", "good: counted", "good: log");
    }
}
