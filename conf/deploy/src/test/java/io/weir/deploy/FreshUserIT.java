package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.AnvilNode;
import io.weir.testing.MarkdownBlocks;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive in the hands of a user who is new to the machine: without a name, a home folder, other groups or variables, and with a strict
 * mask for files. It is unpacked and started as it is, at the default ports.
 */
final class FreshUserIT {

    private static final String USER = "54321";
    private static final List<String> AS_USER = List.of(
            "setpriv",
            "--reuid=" + USER,
            "--regid=" + USER,
            "--clear-groups",
            "--no-new-privs",
            "--",
            "env",
            "-i",
            "PATH=" + System.getProperty("java.home") + "/bin:/usr/bin:/bin");
    private static final String URL = "http://127.0.0.1:8545/v3/demo";

    @TempDir
    private static Path folder;

    /** The folder of the archive, unpacked by the user. */
    private static Path home;

    @BeforeAll
    static void unpack() throws IOException {
        Isolated.assumePossible();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path empty = owned("an empty folder");
        run(empty, "sh", "-c", "umask 077; exec tar -xzf \"$1\"", "sh", Unpacked.ARCHIVE.toString());
        try (var content = Files.list(empty)) {
            home = content.findFirst().orElseThrow();
        }
    }

    /** Makes a folder that belongs to the user. */
    private static Path owned(String name) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Unpacked.run(folder, "chown", USER + ":" + USER, made.toString());
        Unpacked.run(folder, "chmod", "700", made.toString());
        return made;
    }

    private static List<String> asUser(String... command) {
        List<String> line = new ArrayList<>(AS_USER);
        line.addAll(List.of(command));
        return line;
    }

    private static void run(Path from, String... command) {
        Unpacked.run(from, asUser(command).toArray(String[]::new));
    }

    private static void answersAndEnds(Isolated proxy) {
        proxy.awaitReady();
        assertThat(proxy.call(URL, "eth_getBlockByNumber", "[\"0x10\",false]"))
                .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{");
        proxy.signal("SIGTERM");
        assertThat(proxy.process().awaitExit(Unpacked.PATIENCE))
                .as(proxy.process().told())
                .isZero();
    }

    @Test
    void theUnpackedArchiveStartsWithoutAnyArgument() {
        try (Isolated proxy = Isolated.start(
                "bin/weir", Path.of("/"), asUser(home.resolve("bin/weir").toString()))) {
            answersAndEnds(proxy);
        }
        assertThat(home.resolve("data/plugins/wallet")).isDirectory();
    }

    @Test
    void onAReadOnlyFileSystemItWritesToTheFolderThatAVariableNames() throws IOException {
        Path data = owned("data of the variable");
        Path other = owned("another folder");
        // By a relative path from a folder of its own, on a system where nothing else can be written.
        String weir = "../" + folder.relativize(home) + "/bin/weir";
        try (Isolated proxy = Isolated.start(
                "bin/weir",
                other,
                readOnly(data, asUser("env", "WEIR_DATA=" + data, "WEIR_JAVA_OPTS=" + Unpacked.QUICK, weir, "run")))) {
            answersAndEnds(proxy);
        }
        assertThat(data.resolve("plugins/wallet")).isDirectory();
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void onAReadOnlyFileSystemADataFolderOfTheArchiveIsRefused() throws IOException {
        List<String> weir = asUser(
                home.resolve("bin/weir").toString(),
                "--data",
                home.resolve("data").toString());
        try (Isolated refused = Isolated.start("bin/weir", Path.of("/"), readOnly(owned("unused"), weir))) {
            assertThat(refused.process().awaitExit(Unpacked.PATIENCE)).isEqualTo(1);
            assertThat(refused.process().err())
                    .singleElement()
                    .asString()
                    .endsWith("/data (expected: a folder that " + USER + " can write to)");
        }
    }

    /** Runs the commands as a new operator reads them: the first from the README, the others from what the first printed. */
    @Test
    void inFrontOfANodeItNeedsNoFileAndPrintsTheCommandsThatKeepItsSettings() {
        String script = """
                cd "$1"
                export HOME="$PWD" WEIR_JAVA_OPTS="$3"
                "$2" --host 127.0.0.1 --port 8547 >anvil.log &
                node=$!
                until grep -q Listening anvil.log; do sleep 0.1; done
                bin/weir run --node http://127.0.0.1:8547 >first.log &
                proxy=$!
                until grep -q 'keep it:' first.log; do kill -0 $proxy; sleep 0.1; done
                try=$(sed -n 's/^ *try it: *//p' first.log)
                keep=$(sed -n 's/^ *keep it: *\\(.*\\), then .*/\\1/p' first.log)
                then=$(sed -n 's/^ *keep it: .*, then //p' first.log)
                eval "$try"; echo
                curl -s -o page.html "$(sed -n 's/^ *see it: *//p' first.log)"
                grep -o '<title>[^<]*' page.html
                kill $proxy; wait $proxy
                eval "$keep"
                eval "$then >second.log &"
                proxy=$!
                until grep -q 'JSON-RPC at' second.log; do kill -0 $proxy; sleep 0.1; done
                eval "$try"; echo
                kill $proxy; wait $proxy
                kill $node
                """;
        List<String> words = Isolated.run(
                "first commands",
                home,
                asUser(
                        "sh",
                        "-euc",
                        script,
                        "sh",
                        home.toString(),
                        AnvilNode.program().toString(),
                        Unpacked.QUICK));
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x0\"}";
        assertThat(words).hasSize(3).startsWith(answer).endsWith(answer);
        assertThat(words.get(1)).contains("Weir");
    }

    /** The wallet's page, up to the first approval. A script of the test's stands for the person's browser. */
    @Test
    void aPersonApprovesTheFirstTransferByTheStepsOfTheWalletsPage() throws IOException {
        List<String> steps =
                MarkdownBlocks.of(home.resolve("plugins/wallet/README.md")).in("shell");
        assertThat(steps).hasSize(3);
        String browser = """
                page=http://127.0.0.1:9545/plugins/wallet/approvals
                post() { curl -s -i -H 'origin: http://127.0.0.1:9545' "$@"; }
                until grep -q 'JSON-RPC at' proxy.log; do kill -0 $proxy; sleep 0.1; done
                until [ "$(curl -s -o x -w '%{http_code}' http://127.0.0.1:9545/health/ready)" = 200 ]; do sleep 0.1; done
                post -d credential=approve $page/sign-in > signed-in
                cookie=$(sed -n 's/^[Ss]et-[Cc]ookie: \\([^;]*\\).*/\\1/p' signed-in)
                list=http://127.0.0.1:9545$(sed -n 's/^[Ll]ocation: \\([^[:space:]]*\\).*/\\1/p' signed-in)
                person() {
                  until curl -s -H "cookie: $cookie" $list > list.html; grep -q 'request?id=' list.html; do sleep 0.1; done
                  id=$(sed -n 's/.*request?id=\\([0-9a-f]*\\).*/\\1/p' list.html)
                  curl -s -H "cookie: $cookie" "$list/request?id=$id" > request.html
                  token=$(sed -n 's/.*name="token" value="\\([^"]*\\)".*/\\1/p' request.html | head -1)
                  post -H "cookie: $cookie" -d "token=$token&id=$id&decision=approve" $list/decision > decided
                }
                person & person=$!
                """;
        String script = "cd \"$1\"\nexport HOME=\"$PWD\" WEIR_JAVA_OPTS=\"$2\"\n"
                + steps.get(0).stripTrailing() + " > proxy.log & proxy=$!\n"
                + browser + steps.get(1) + "\nwait $person\n" + steps.get(2) + "\ncat request.html\nkill $proxy\n";
        List<String> words = Isolated.run(
                "the first approval", home, asUser("sh", "-euc", script, "sh", home.toString(), Unpacked.QUICK));
        String told = String.join("\n", words);
        assertThat(told)
                .contains("\"result\":{\"transaction_hash\":\"0x")
                .as("1001.5 STRK")
                .contains("\"result\":\"0x" + new BigInteger("1001500000000000000000").toString(16) + "\"");
        assertThat(told.replaceAll("<[^>]*>", ""))
                .contains(
                        "Transfers 1.5 STRK (the fee token)",
                        "Call 1 of 2",
                        "Deploys the account itself, with the key of this wallet.",
                        "the policy asks a person");
    }

    /** Makes the root, the temporary folders and the folder of the test read-only, and one folder in it writable. */
    private static List<String> readOnly(Path writable, List<String> command) {
        String script = """
                here=$(pwd)
                mount --bind "$1" "$1"
                mount --bind "$2" "$2"
                mount -o remount,bind,ro "$1"
                mount -o remount,bind,ro /
                [ ! -w "$1" ] && [ -w "$2" ]
                shift 2
                cd "$here"
                exec "$@"
                """;
        List<String> line =
                new ArrayList<>(List.of("sh", "-euc", script, "sh", folder.toString(), writable.toString()));
        line.addAll(command);
        return line;
    }
}
