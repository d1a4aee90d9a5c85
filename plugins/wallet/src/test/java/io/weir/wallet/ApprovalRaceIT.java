package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.Felt;
import io.weir.testing.ChildProcess;
import io.weir.testing.Runs;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.command.AuditCommand;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import io.weir.wallet.testing.TestApprovals;
import io.weir.wallet.testing.TestSeeds;
import io.weir.wallet.testing.TransactionCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Kills a wallet with SIGKILL, again and again, while persons, callers and deadlines decide on the same requests at the same time. What
 * counts in the end is what the node was given, what people were told, and what the audit log proves.
 */
class ApprovalRaceIT {
    private static final int RUNS = Runs.number("weir.wallet.races", 5, 200);
    private static final int MAX_RACES_BEFORE = 5;
    private static final int MAX_MICROS = 150_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final List<String> problems = new ArrayList<>();
    /** What all wallets said, word by word. */
    private final List<String[]> said = new ArrayList<>();
    /** The requests that a person refused. */
    private final Set<String> refused = new HashSet<>();
    /** The approvals that a person gave, as the audit log has them, with the ids of their requests. */
    private final Map<String, String> approved = new HashMap<>();
    /** The hashes of what was signed, by approval. */
    private final Map<String, Felt> signed = new HashMap<>();

    @Test
    void whoeverDecidesFirstAndWheneverItDiesNothingIsSignedTwice() throws IOException {
        long seed = Long.getLong("weir.wallet.seed", System.nanoTime());
        Random random = new Random(seed);
        try (ScriptedNode node = new ScriptedNode()) {
            node.advanceByItself();
            String sender = account(node);
            int first = 1;
            for (int run = 0; run < RUNS; run++) {
                if (random.nextInt(3) == 0) {
                    node.expect(random.nextBoolean() ? Mishap.LOST_BEFORE : Mishap.ANSWER_LOST);
                }
                first += RacedWallet.STEP * killed(node, sender, first, random);
            }
            settle(node);
            readAudit();
            checkTransactions(node.given());
            checkWhatPeopleWereTold();
            assertThat(problems)
                    .as("%d runs, %d requests, seed %d", RUNS, first, seed)
                    .isEmpty();
            assertThat(node.nonces(felt(sender)))
                    .as("nonces, seed %d", seed)
                    .containsExactlyElementsOf(
                            LongStream.range(0, node.given().size()).boxed().toList());
        }
    }

    private String account(ScriptedNode node) {
        try (WalletFixture wallet = WalletFixture.start(folder, node, WalletFixture.QUICK)) {
            return wallet.deployedAccount(node::addContract);
        }
    }

    /** Runs a wallet from a race on, and kills it. Returns the number of races that were over. */
    private int killed(ScriptedNode node, String sender, int first, Random random) {
        int last = first + RacedWallet.STEP * random.nextInt(MAX_RACES_BEFORE);
        // Mostly soon, while the race goes on.
        int delay = random.nextInt(1 + random.nextInt(MAX_MICROS));
        Executor later = CompletableFuture.delayedExecutor(delay, MICROSECONDS);
        try (ChildProcess child = ChildProcess.startJava(
                "raced",
                folder,
                RacedWallet.class,
                folder.toString(),
                node.url(),
                sender,
                String.valueOf(first),
                String.valueOf(random.nextLong()))) {
            child.awaitLine(Pattern.compile("race " + last + "$"), PATIENCE);
            CompletableFuture.runAsync(child::kill, later).join();
            child.out().forEach(line -> said.add(line.split(" ")));
            if (child.out().stream().anyMatch(line -> line.startsWith("problem"))) {
                problems.add(child.told());
            }
            return (int) child.out().stream()
                    .filter(line -> line.startsWith("over "))
                    .count();
        }
    }

    /** What all wallets said that begins with a word. */
    private Stream<String[]> said(String word) {
        return said.stream().filter(words -> words[0].equals(word));
    }

    /** Starts a last wallet, which ends what the others have left. */
    private void settle(ScriptedNode node) throws IOException {
        int last =
                said("race").mapToInt(words -> Integer.parseInt(words[1])).max().orElseThrow() + RacedWallet.WIDTH;
        Path file = folder.resolve("audit.jsonl");
        try (AuditLog audit = AuditLog.of(file, Runnable::run, InstantSource.system())) {
            audit.start();
            try (WalletFixture wallet = WalletFixture.audited(
                    folder, new HttpChain(node.url()), new TestApprovals(), new TestSeeds(), audit)) {
                for (int number = 1; number < last; number++) {
                    Map<String, Object> request = Map.of("requestId", RacedWallet.id(number));
                    await().atMost(PATIENCE)
                            .until(() -> RequestState.valueOf(wallet.call("l2Net_getRequest", request)
                                            .path("state")
                                            .stringValue())
                                    .isEnded());
                }
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(out, true, UTF_8);
        assertThat(new AuditCommand(file).run(List.of(), both, both))
                .as(out.toString(UTF_8))
                .isZero();
    }

    private void readAudit() throws IOException {
        Set<String> decided = new HashSet<>();
        for (String text : Files.readAllLines(folder.resolve("audit.jsonl"))) {
            JsonNode line = parse(text);
            String approval = line.path("approval").asString("");
            switch (line.path("event").asString("")) {
                case "decision" -> {
                    String request = line.path("request_id").stringValue();
                    String decision = line.path("decision").stringValue();
                    if (!decided.add(approval)) {
                        problems.add("the second decision about " + request + ": " + text);
                    }
                    if (decision.equals("approved")) {
                        approved.put(approval, request);
                    } else if (line.path("by").stringValue().equals("approver")) {
                        refused.add(request);
                    }
                }
                case "signed" -> {
                    if (!approved.containsKey(approval)) {
                        problems.add("signed without an approval: " + text);
                    }
                    if (signed.put(approval, felt(line.path("transaction_hash").stringValue())) != null) {
                        problems.add("the second signature for an approval: " + text);
                    }
                }
                default -> {
                    // An outcome, or the note of a torn line.
                }
            }
        }
    }

    /** Parses a line; one that the death of a wallet has torn is none. */
    private static JsonNode parse(String line) {
        try {
            return WalletFixture.MAPPER.readTree(line);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    /** Never two transactions for a request, and each for one approval of this request. */
    private void checkTransactions(List<JsonNode> given) {
        Map<String, Felt> sent = new HashMap<>();
        for (JsonNode body : given) {
            String request = RacedWallet.id((int) Subjects.amount(body));
            Felt hash = TransactionCheck.hash(body, ScriptedNode.CHAIN_ID);
            if (sent.put(request, hash) != null) {
                problems.add("two transactions for " + request);
            }
            if (signed.keySet().stream()
                    .noneMatch(
                            approval -> hash.equals(signed.get(approval)) && request.equals(approved.get(approval)))) {
                problems.add("a transaction without an approval of " + request);
            }
        }
        said("sent").forEach(words -> {
            String request = RacedWallet.id(Integer.parseInt(words[1]));
            if (!felt(words[2]).equals(sent.get(request))) {
                problems.add("the caller of " + request + " was told another transaction than its own");
            }
        });
        said("decided").filter(words -> words[3].equals("refuse")).forEach(words -> refused.add(words[2]));
        refused.stream().filter(sent::containsKey).forEach(request -> problems.add("refused, and sent: " + request));
    }

    /** What a person was told to have decided is decided. */
    private void checkWhatPeopleWereTold() {
        Set<String> decided = new HashSet<>();
        said("decided").forEach(words -> {
            String approval = words[1];
            if (!decided.add(approval)) {
                problems.add("two persons were told to have decided on " + words[2]);
            }
            if (words[3].equals("approve") != approved.containsKey(approval)) {
                problems.add("told to " + words[3] + " " + words[2] + ", but the audit log says otherwise");
            }
        });
    }
}
