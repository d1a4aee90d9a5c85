package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.ConfigurationText;
import io.weir.testing.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check} reads the files of certificates, and names those that cannot be used with their settings. */
final class TlsCheckIT {

    @TempDir
    private Path folder;

    private TestAuthority authority;

    @BeforeEach
    void begin() throws Exception {
        authority = new TestAuthority("Authority");
        write("good", Duration.ofDays(1));
    }

    private void write(String name, Duration validity) throws Exception {
        authority
                .issue(TestAuthority.validFor(validity), "rpc.test")
                .write(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
    }

    private CommandLineRun check(String... settings) throws Exception {
        ConfigurationText text = ConfigurationText.of("net", "1").upstream("a", "https://127.0.0.1:1");
        List.of(settings).forEach(setting -> text.setting(setting.replace("FOLDER", folder.toString())));
        Path file = Files.writeString(folder.resolve("weir.conf"), text.text());
        return CommandLineRun.of("check", "--config", file.toString());
    }

    private static String pair(String chain, String key) {
        return " { chain = \"FOLDER/" + chain + "\", key = \"FOLDER/" + key + "\" }";
    }

    @Test
    void goodFilesAreNoProblemAndHostsWithoutACertificateAreNoted() throws Exception {
        CommandLineRun run = check(
                "server.tls.certificates.a" + pair("good.pem", "good.key"),
                "networks.net.hosts = [rpc.test, other.test]");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("networks.net.hosts: other.test (now: no certificate of server.tls names it)")
                .doesNotContain("rpc.test (now");
    }

    @Test
    void everyFileThatCannotBeUsedIsNamedWithItsSetting() throws Exception {
        write("other", Duration.ofDays(1));
        write("old", Duration.ofDays(-1));
        CommandLineRun run = check(
                "server.tls.certificates.a" + pair("good.pem", "other.key"),
                "server.tls.certificates.b" + pair("missing.pem", "good.key"),
                "admin.tls.certificates.c" + pair("old.pem", "old.key"),
                "admin.tls.client-ca = \"FOLDER/good.key\"",
                "networks.net.upstreams.a.tls.ca = \"FOLDER/none.pem\"");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("server.tls.certificates.a.key: " + folder
                        + "/other.key: a key of another certificate than the first one in ")
                .contains("server.tls.certificates.b.chain: " + folder + "/missing.pem: no such file")
                .contains("admin.tls.certificates.c.chain: " + folder + "/old.pem: certificate 1 expired at ")
                .contains("networks.net.upstreams.a.tls.ca: " + folder + "/none.pem: no such file")
                .containsPattern("weir.conf:\\d+.* server.tls.certificates.a.key");
    }
}
