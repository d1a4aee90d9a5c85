package io.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.bench.load.server.ServerName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void withoutOptionsARunIsFullAndPinnedAndOfEverything() {
        Options options = Options.parse(List.of());

        assertThat(options.isShort()).isFalse();
        assertThat(options.pinned()).isTrue();
        assertThat(options.workloads()).isEmpty();
        assertThat(options.servers())
                .containsExactlyElementsOf(EnumSet.complementOf(EnumSet.of(ServerName.WEIR_OTHER)));
        assertThat(options.out()).isEqualTo(options.checkout().resolve("bench/results"));
    }

    @Test
    void optionsChangeOneThingEach() {
        Options options = Options.parse(List.of(
                "--short",
                "--servers",
                "weir,nginx-cache",
                "--workloads",
                "mixed",
                "--turns",
                "3",
                "--seconds",
                "2",
                "--connections",
                "8",
                "--weir-java",
                "-Xmx1g -XX:+UseZGC"));

        assertThat(options.isShort()).isTrue();
        assertThat(options.servers()).containsExactly(ServerName.WEIR, ServerName.NGINX_CACHE);
        assertThat(options.workloads()).containsExactly("mixed");
        assertThat(options.pace().turns()).isEqualTo(3);
        assertThat(options.pace().time()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.connections()).isEqualTo(8);
        assertThat(options.variants().flags()).containsExactly("-Xmx1g", "-XX:+UseZGC");
        assertThat(options.out().toString()).contains("target");
    }

    @Test
    void theProxyIsComparedWithItselfWhereOtherSettingsAreGiven() {
        Options options = Options.parse(List.of("--other-settings", "server.threads = 2", "--servers", "weir"));

        assertThat(options.servers()).containsExactly(ServerName.WEIR, ServerName.WEIR_OTHER);
        assertThat(options.variants().otherSettings()).containsExactly("server.threads = 2");
    }

    @Test
    void theProxyIsComparedWithItselfWhereOtherFlagsAreGiven() {
        Options options = Options.parse(List.of("--other-java", "-XX:+UseG1GC", "--servers", "weir"));

        assertThat(options.servers()).containsExactly(ServerName.WEIR, ServerName.WEIR_OTHER);
        assertThat(options.variants().otherFlags()).containsExactly("-XX:+UseG1GC");
        assertThat(Options.parse(List.of()).servers()).doesNotContain(ServerName.WEIR_OTHER);
    }

    @Test
    void theProxyIsComparedWithAnotherBuildOfIt() {
        Options options = Options.parse(List.of("--other-jar", "/elsewhere/weir.jar", "--servers", "weir"));

        assertThat(options.servers()).containsExactly(ServerName.WEIR, ServerName.WEIR_OTHER);
        assertThat(options.variants().otherJar()).isEqualTo(Path.of("/elsewhere/weir.jar"));
    }

    @Test
    void theGoalsHaveTheirOwnWorkloadsAndServers() {
        Options options = Options.parse(List.of("--goals", "--turns", "1", "--seconds", "2", "--warm", "3"));

        assertThat(options.workloads()).containsExactlyInAnyOrder("small-hit", "small-miss", "large", "start");
        assertThat(options.servers())
                .contains(ServerName.WEIR_INSTALLED, ServerName.NGINX_PASS, ServerName.NGINX_CACHE, ServerName.ERPC);
        assertThat(options.pace().turns()).isEqualTo(1);
        assertThat(options.pace().time()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.pace().warm()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.out()).isEqualTo(options.checkout().resolve("bench/results/goals"));
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> Options.parse(List.of("--servers", "weird")))
                .hasMessageContaining("weird (expected: some of");
        assertThatThrownBy(() -> Options.parse(List.of("--turns", "0"))).hasMessageContaining("--turns: 0 (expected:");
        assertThatThrownBy(() -> Options.parse(List.of("--turns"))).hasMessageContaining("expected: a value");
        assertThatThrownBy(() -> Options.parse(List.of("--fast", "1"))).hasMessageContaining("--fast: unknown");
    }
}
