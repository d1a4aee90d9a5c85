package io.weir.bench.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.load.Options;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowClientsIT {

    private static final Path JAR = Options.of(true, Path.of("")).checkout().resolve("proxy-core/target/weir.jar");

    @Test
    void resultsLargerThanTheWindowAreComparedInTurns() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> args = List.of(
                "--results",
                "3",
                "--megabytes",
                "4",
                "--rate",
                "100",
                "--turns",
                "1",
                "--warm",
                "0",
                "--jar",
                JAR.toString());

        boolean whole = SlowClients.run(args, new PrintStream(out, true, UTF_8));

        String told = out.toString(UTF_8);
        assertThat(whole).as(told).isTrue();
        assertThat(told.lines())
                .satisfiesExactly(
                        node -> assertThat(node).startsWith("node").endsWith("3 of 3 whole"),
                        proxy -> assertThat(proxy).startsWith("proxy").endsWith("3 of 3 whole"),
                        later -> assertThat(later).startsWith("first byte through the proxy"),
                        resident -> assertThat(resident).startsWith("most resident: "));
    }
}
