package io.weir.app.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonLinesTest {

    private final LoggerContext context = new LoggerContext();

    @Test
    void aLineIsAnObjectWithTheFieldsOfTheEvent() {
        JsonNode line = JsonMapper.shared().readTree(line("node {} of \"{}\"\nis back", null, "a", "\u00fc\u0001"));

        assertThat(line.propertyNames()).containsExactly("time", "message", "logger", "thread", "level");
        assertThat(line.path("time").asString()).isEqualTo("2026-11-21T01:50:49.675Z");
        assertThat(line.path("message").asString()).isEqualTo("node a of \"\u00fc\u0001\"\nis back");
        assertThat(line.path("logger").asString()).isEqualTo("io.weir.Some");
        assertThat(line.path("thread").asString()).isEqualTo("weir-loop-1");
        assertThat(line.path("level").asString()).isEqualTo("WARN");
    }

    @Test
    void aFailureIsOneFieldOfTheSameLine() {
        String text = line("failed", new IllegalStateException("outer", new RuntimeException("in\nner")));

        assertThat(text).endsWith("\n");
        assertThat(text.strip()).doesNotContain("\n");
        assertThat(JsonMapper.shared().readTree(text).path("exception").asString())
                .contains("IllegalStateException: outer", "in\nner", "\tat ");
    }

    private String line(String message, @Nullable Throwable failure, Object... arguments) {
        context.setMDCAdapter(new LogbackMDCAdapter());
        LoggingEvent event = new LoggingEvent(
                getClass().getName(), context.getLogger("io.weir.Some"), Level.WARN, message, failure, arguments);
        event.setInstant(Instant.parse("2026-11-21T01:50:49.675Z"));
        event.setThreadName("weir-loop-1");
        return new String(JsonLines.encoder(context).encode(event), UTF_8);
    }
}
