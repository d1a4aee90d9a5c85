package io.weir.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weir.testing.ChildProcess;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The log as JSON, as collectors of logs read it. */
final class JsonLogIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NODE = "http://bob:hunter2@127.0.0.1:1/hunter3";

    @Test
    void theLogAndTheAccessLogAreOneStreamOfJsonObjectsWithoutSecrets() throws Exception {
        assumeThat(Path.of("/dev/stderr")).as("standard error as a file").exists();
        String configuration = ConfigurationText.of("main", "1")
                .upstream("node", NODE)
                .setting("log.format = json")
                .setting("server.access-log.file = /dev/stderr")
                .text();
        ChildProcess process;
        try (WeirProcess weir = WeirProcess.start(configuration)) {
            process = weir.process();
            new JsonRpcClient(weir.url())
                    .postLater(JsonRpcClient.call("eth_chainId"))
                    .join();
            process.awaitErrorLine(Pattern.compile("\"protocol\""), PATIENCE);
        }

        List<String> lines = process.err();
        assertThat(lines).noneMatch(line -> line.contains("hunter") || line.contains("v3/demo"));
        List<JsonNode> objects =
                lines.stream().map(JsonMapper.shared()::readTree).toList();
        assertThat(objects).allSatisfy(line -> {
            assertThat(Instant.parse(line.path("time").asString())).isBefore(Instant.now());
            assertThat(line.has("protocol"))
                    .isNotEqualTo(line.has("message") && line.has("level") && line.has("logger") && line.has("thread"));
        });
        assertThat(objects).anyMatch(line -> line.path("level").asString().equals("WARN"));
        assertThat(objects).anyMatch(line -> line.path("message").asString().contains("drain"));
        assertThat(objects)
                .filteredOn(line -> line.has("protocol"))
                .singleElement()
                .satisfies(line -> assertThat(line.path("key").asString()).isEqualTo("demo"));
    }

    @Test
    void linesBelowTheLevelAreNotWritten() throws Exception {
        String configuration = ConfigurationText.of("main", "1")
                .upstream("node", NODE)
                .setting("log { format = json, level = warn }")
                .text();
        ChildProcess process;
        try (WeirProcess weir = WeirProcess.start(configuration)) {
            process = weir.process();
        }

        assertThat(process.err())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(
                                JsonMapper.shared().readTree(line).path("level").asString())
                        .isEqualTo("WARN"));
    }
}
