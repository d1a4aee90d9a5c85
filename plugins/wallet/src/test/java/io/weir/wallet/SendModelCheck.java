package io.weir.wallet;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.audit.ChainCheck;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.StoredSums;
import io.weir.wallet.testing.TransactionCheck;
import java.math.BigInteger;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The properties of a history: of each settlement, and at its end. Confined to one thread. */
final class SendModelCheck {
    private final SendModel model;
    private final List<String> problems;
    /** All signed transactions that the node or the database ever had, by hash. */
    private final Map<Felt, JsonNode> bodies = new HashMap<>();

    private final Map<Felt, String> subjects = new HashMap<>();
    private final List<JsonNode> lines = new ArrayList<>();

    private SendModelCheck(SendModel model, List<String> problems) {
        this.model = model;
        this.problems = problems;
    }

    /** Checks that nothing is held up, and that the wallet knows what became of each transaction. */
    static void settled(SendModel model, List<String> problems) throws Exception {
        if (model.node.waiting() > 0) {
            problems.add(model.node.waiting() + " transactions wait behind a gap after a settlement");
        }
        try (Connection open = open(model);
                Statement statement = open.createStatement();
                ResultSet row = statement.executeQuery("SELECT hash, state, nonce FROM account_transaction")) {
            while (row.next()) {
                String state = row.getString("state");
                boolean included = model.node.hasIncluded(Felt.parseHex(row.getString("hash")));
                // A node may refuse a transaction and keep it: the wallet learns of that with the account's next one.
                if (!state.equals("REJECTED") && included != state.equals("ACCEPTED_ON_L2")) {
                    problems.add("nonce " + row.getLong("nonce") + " is " + state
                            + (included ? ", but in a block" : ", but in no block") + " after a settlement");
                }
            }
        }
    }

    /** Returns the transactions that the wallet knows to be in blocks. */
    static Set<Felt> accepted(SendModel model) throws Exception {
        Set<Felt> hashes = new HashSet<>();
        try (Connection open = open(model);
                Statement statement = open.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT hash FROM account_transaction WHERE state = 'ACCEPTED_ON_L2'")) {
            while (row.next()) {
                hashes.add(Felt.parseHex(row.getString("hash")));
            }
        }
        return hashes;
    }

    /** Checks the whole history. */
    static void ended(SendModel model, List<String> problems) throws Exception {
        SendModelCheck check = new SendModelCheck(model, problems);
        check.read();
        check.checkApprovals();
        check.checkAnswers();
        check.checkAudit();
        check.checkSums();
        check.checkChains();
    }

    /** Never a transaction of an old chain given to a new one, unless the same one was signed again. */
    private void checkChains() {
        Map<Felt, Integer> signed = new HashMap<>();
        for (JsonNode line : lines) {
            if (line.path("event").asString("").equals("signed")) {
                signed.merge(Felt.parse(line.path("transaction_hash").stringValue()), 1, Integer::sum);
            }
        }
        model.accepted.forEach((hash, chain) -> {
            boolean again =
                    model.node.given.getOrDefault(hash, Set.of()).stream().anyMatch(later -> later > chain);
            if (again && signed.getOrDefault(hash, 0) < 2) {
                problems.add(subject(hash) + " was in a block of an old chain and is given to a new one");
            }
        });
    }

    private static Connection open(SendModel model) throws Exception {
        return DriverManager.getConnection("jdbc:sqlite:" + model.folder.resolve("wallet.db"));
    }

    private void read() throws Exception {
        bodies.putAll(model.node.seen);
        try (Connection open = open(model);
                Statement statement = open.createStatement();
                ResultSet row = statement.executeQuery("SELECT hash, body FROM account_transaction"
                        + " UNION ALL SELECT hash, body FROM archived_transaction")) {
            while (row.next()) {
                bodies.put(Felt.parseHex(row.getString("hash")), WalletFixture.MAPPER.readTree(row.getString("body")));
            }
        }
        bodies.forEach((hash, body) -> subjects.put(hash, Subjects.of(body, TransactionCheck.sender(body))));
        for (String line : Files.readAllLines(model.folder.resolve("audit.jsonl"))) {
            lines.add(WalletFixture.MAPPER.readTree(line));
        }
    }

    private String subject(Felt hash) {
        return subjects.getOrDefault(hash, "nothing");
    }

    /** Never two signed transactions for one approval. */
    private void checkApprovals() {
        Map<String, Integer> signed = new HashMap<>();
        bodies.keySet().forEach(hash -> signed.merge(subject(hash), 1, Integer::sum));
        signed.forEach((subject, count) -> {
            int approved = model.approvals.getOrDefault(subject, 0);
            if (count > approved) {
                problems.add(
                        subject + ": " + count + " transactions (expected: at most " + approved + ", the approvals)");
            }
        });
    }

    /** Never a hash told for the wrong transaction. */
    private void checkAnswers() {
        for (SendModel.Answer answer : model.answers) {
            String told = told(answer.stage());
            if (told != null && !subject(Felt.parse(told)).equals(answer.subject())) {
                problems.add(answer.subject() + ": told the hash of " + subject(Felt.parse(told)));
            }
        }
    }

    private static @Nullable String told(CompletableFuture<JsonNode> answer) {
        if (!answer.isDone()) {
            return null;
        }
        try {
            return answer.join().path("transaction_hash").asString(null);
        } catch (RuntimeException e) {
            return Waiting.unwrapped(e) instanceof RpcException rpc && rpc.data() != null
                    ? rpc.data().path("transaction_hash").asString(null)
                    : null;
        }
    }

    /** Each signed transaction has its approval before it, and each approval one transaction and one deployment at most. */
    private void checkAudit() throws Exception {
        String broken = ChainCheck.check(model.folder.resolve("audit.jsonl")).problem();
        if (broken != null) {
            problems.add("audit log: " + broken);
        }
        Map<String, JsonNode> approved = new HashMap<>();
        Set<String> parts = new HashSet<>();
        Set<Felt> noted = new HashSet<>();
        int byPerson = 0;
        for (JsonNode line : lines) {
            String approval = line.path("approval").asString("");
            if (line.path("decision").asString("").equals("approved")) {
                byPerson += line.path("by").stringValue().equals("approver") ? 1 : 0;
                if (approved.put(approval, line) != null) {
                    problems.add("audit log: two approvals " + approval);
                }
            } else if (line.path("event").asString("").equals("signed")) {
                Felt hash = Felt.parse(line.path("transaction_hash").stringValue());
                noted.add(hash);
                if (!approved.containsKey(approval)) {
                    problems.add("audit log: " + subject(hash) + " is signed without an approval");
                }
                if (!parts.add(
                        approval + " " + line.path("function").asString("").equals("constructor"))) {
                    problems.add("audit log: " + subject(hash) + " is the second transaction of one approval");
                }
            }
        }
        if (byPerson > model.approvedByPerson) {
            problems.add("audit log: " + byPerson + " approvals by a person (expected: at most "
                    + model.approvedByPerson + ")");
        }
        bodies.keySet().stream()
                .filter(hash -> !noted.contains(hash))
                .forEach(hash -> problems.add("audit log: " + subject(hash) + " is not noted"));
    }

    /** Sums never below what a policy let sign, and never above its bounds. */
    private void checkSums() throws Exception {
        Set<String> byPolicy = new HashSet<>();
        Map<String, BigInteger> signed = new HashMap<>();
        for (JsonNode line : lines) {
            String approval = line.path("approval").asString("");
            if (line.path("by").asString("").equals("policy")
                    && line.path("decision").asString("").equals("approved")) {
                byPolicy.add(approval);
            }
            if (!line.path("event").asString("").equals("signed") || !byPolicy.contains(approval)) {
                continue;
            }
            JsonNode body = bodies.get(Felt.parse(line.path("transaction_hash").stringValue()));
            if (body == null) {
                continue;
            }
            String tenant = line.path("tenant").stringValue();
            signed.merge(tenant, mostFee(body), BigInteger::add);
            if (tenant.equals("clerk") && !Subjects.isDeployment(body)) {
                long amount = Subjects.amount(body) * Subjects.calls(body);
                signed.merge(amounts(), BigInteger.valueOf(amount), BigInteger::add);
                if (amount > SendModel.PER_CALL) {
                    problems.add("a policy let " + amount + " go (expected: at most " + SendModel.PER_CALL + ")");
                }
            }
        }
        Map<String, BigInteger> counted = StoredSums.of(model.folder);
        signed.forEach((name, sum) -> {
            BigInteger count = counted.getOrDefault(name, BigInteger.ZERO);
            if (count.compareTo(sum) < 0) {
                problems.add(
                        "the sum of " + name + " is " + count + " (expected: at least " + sum + ", which was signed)");
            }
        });
        if (counted.getOrDefault(amounts(), BigInteger.ZERO).longValue() > SendModel.PER_DAY) {
            problems.add("the amounts of a day are " + counted.get(amounts()));
        }
    }

    private static String amounts() {
        return ScriptedNode.TOKEN.toHex() + " of clerk on sepolia";
    }

    private static BigInteger mostFee(JsonNode body) {
        BigInteger most = BigInteger.ZERO;
        for (JsonNode bound : body.path("resource_bounds")) {
            most = most.add(number(bound.path("max_amount")).multiply(number(bound.path("max_price_per_unit"))));
        }
        return most;
    }

    private static BigInteger number(JsonNode hex) {
        return new BigInteger(hex.stringValue().substring(2), 16);
    }
}
