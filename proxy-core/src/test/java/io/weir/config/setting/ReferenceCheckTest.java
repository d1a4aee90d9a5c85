package io.weir.config.setting;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.weir.config.hocon.HoconDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceCheckTest {

    private static final Config REFERENCE = ConfigFactory.parseString("""
            period = 3 s, size = 1 MiB, blocks = 100, mining = true, name = devnet
            accounts = [], token = null, routes {}, limits { calls = 5 }
            kinds { usual { hash = 1, upgrade = [] }, "*" { hash = 0, upgrade = [] } }
            """);

    @TempDir
    Path folder;

    private List<String> problems(String block) throws Exception {
        Path file = write("plugins.devnet {\n" + block + "\n}");
        HoconDocument document =
                HoconDocument.read(file, Map.of(), ConfigFactory.empty().root());
        return ReferenceCheck.problems(
                        List.of("plugins", "devnet"),
                        document.root().toConfig().getConfig("plugins.devnet"),
                        REFERENCE,
                        document.sources())
                .stream()
                .map(problem -> problem.toString().replace(folder + "/", ""))
                .toList();
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("weir.conf"), text);
    }

    @Test
    void aBlockThatMatchesTheReferenceHasNoProblem() throws Exception {
        assertThat(problems("""
                        period = 250 ms, size = 5 KiB, blocks = "7", mining = off, name = 5, accounts = [1, a]
                        token = [whatever], routes { any { thing = 1 } }, limits.calls = 6
                        """)).isEmpty();
    }

    @Test
    void namedBlocksMayBeAddedWithTheMembersThatTheReferenceGivesThem() throws Exception {
        assertThat(problems("kinds { own { hash = 2, upgrade = [a] }, usual { hash = 3 } }"))
                .isEmpty();
        assertThat(problems("""
                        kinds {
                          own { hsh = 2, upgrade = a }
                          other = 1
                          "*" { hash = 3 }
                        }
                        """))
                .containsExactly(
                        "weir.conf:3:9: plugins.devnet.kinds.own.hsh: unknown setting"
                                + " (expected: a known setting; did you mean plugins.devnet.kinds.own.hash?)",
                        "weir.conf:3:28: plugins.devnet.kinds.own.upgrade: (hidden) (expected: a list [ … ])",
                        "weir.conf:4:11: plugins.devnet.kinds.other: (hidden) (expected: a block { … })",
                        "weir.conf:5:3: plugins.devnet.kinds.\"*\": unknown setting (expected: a known setting)");
    }

    @Test
    void anUnsuitableValueIsReportedWithoutShowingIt() throws Exception {
        assertThat(problems("""
                        period = 250
                        size = large
                        blocks = many
                        mining = 1
                        name = [secret]
                        accounts = secret
                        routes = secret
                        limits { calls = {}, cals = 1 }
                        perod = secret
                        """))
                .containsExactly(
                        "weir.conf:2:10: plugins.devnet.period: (hidden)"
                                + " (expected: a duration with a unit, such as 250 ms or 10 s)",
                        "weir.conf:3:8: plugins.devnet.size: (hidden)"
                                + " (expected: a size with a unit, such as 64 KiB or 5 MiB)",
                        "weir.conf:4:10: plugins.devnet.blocks: (hidden) (expected: a number)",
                        "weir.conf:5:10: plugins.devnet.mining: (hidden) (expected: true or false)",
                        "weir.conf:6:8: plugins.devnet.name: (hidden) (expected: a text)",
                        "weir.conf:7:12: plugins.devnet.accounts: (hidden) (expected: a list [ … ])",
                        "weir.conf:8:10: plugins.devnet.routes: (hidden) (expected: a block { … })",
                        "weir.conf:9:18: plugins.devnet.limits.calls: (hidden) (expected: a number)",
                        "weir.conf:9:22: plugins.devnet.limits.cals: unknown setting"
                                + " (expected: a known setting; did you mean plugins.devnet.limits.calls?)",
                        "weir.conf:10:1: plugins.devnet.perod: unknown setting"
                                + " (expected: a known setting; did you mean plugins.devnet.period?)");
    }
}
