package io.weir.wallet;

import io.weir.api.MethodCall;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Claim;
import io.weir.wallet.approval.ParkedRequest;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.HandScheduler;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.TestCall;
import io.weir.wallet.testing.TestHost;
import io.weir.wallet.testing.TestSeeds;
import io.weir.wallet.testing.UnreliableNode;
import io.weir.wallet.testing.UnreliableNode.Fate;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One random history of a wallet, and what must hold of it. Confined to one thread. */
final class SendModel {
    private static final String LIMIT = "1000000000000";
    private static final String POLICY =
            "approval.tenants.robot { policy = allow, contracts = [\"*\"], functions = [\"*\"]," + " max-fee-fri = \""
                    + LIMIT + "\", max-fee-per-day-fri = \"" + LIMIT + "\" }";
    private static final ApprovalSettings SETTINGS = ApprovalFixture.settings(POLICY);
    private static final int MAX_STORED = 1000;
    private static final List<String> TENANTS = List.of("demo", "robot");

    private final Random random;
    private final Path folder;
    private final UnreliableNode node;
    private static final TestSeeds SEEDS = new TestSeeds();
    private final List<Payment> payments = new ArrayList<>();
    private final List<String> senders = new ArrayList<>();
    private final Map<Long, Integer> approvals = new HashMap<>();
    private final Set<Long> allowed = new HashSet<>();
    private Instant now = Instant.parse("2026-01-10T00:00:00Z");
    private long markers;
    private HandScheduler scheduler = new HandScheduler();
    private @Nullable WalletDatabase database;
    private @Nullable WalletCore core;
    private @Nullable ApprovalQueue queue;

    /** A payment that somebody asked for; each has an amount of its own. */
    private record Payment(
            String tenant, long marker, @Nullable String id, TestCall call, CompletableFuture<JsonNode> answer) {}

    SendModel(long seed, Path folder) {
        this.random = new Random(seed);
        this.folder = folder;
        this.node = new UnreliableNode(random);
        open();
        for (int index = 0; index < TENANTS.size(); index++) {
            senders.add(Waiting.forResult(core().endpoint()
                            .handle(call(TENANTS.get(index), "l2Net_createAccount", Map.of("addressIndex", index))))
                    .path("address")
                    .stringValue());
        }
    }

    private WalletCore core() {
        return java.util.Objects.requireNonNull(core);
    }

    private ApprovalQueue queue() {
        return java.util.Objects.requireNonNull(queue);
    }

    private void open() {
        scheduler = new HandScheduler();
        TestHost made = TestHost.byHand(folder, node, "", scheduler);
        database = new WalletDatabase(folder.resolve("wallet.db"));
        queue = new ApprovalQueue(SETTINGS, folder, scheduler.asService(), clock(), made.meters(), AuditLog.off());
        core = new WalletCore(
                made,
                WalletSettings.read(made.settings()),
                database,
                new WalletCore.Guards(SEEDS, queue, AuditLog.off()),
                () -> now);
        core.start();
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    /** As kill -9: nothing is ended or told. */
    private void crash() {
        core().close();
        open();
    }

    void close() {
        core().close();
    }

    private TestCall call(String tenant, String method, Map<String, Object> params) {
        ObjectNode envelope = WalletFixture.MAPPER.createObjectNode().put("snapId", WalletFixture.SNAP_ID);
        ObjectNode request = envelope.putObject("request").put("method", method);
        request.set("params", WalletFixture.MAPPER.valueToTree(params));
        return new TestCall(tenant, envelope, Runnable::run, node, true);
    }

    private void pay() {
        boolean again = !payments.isEmpty() && random.nextInt(3) == 0;
        Payment old = again ? payments.get(random.nextInt(payments.size())) : null;
        String tenant = old != null ? old.tenant() : TENANTS.get(random.nextInt(2));
        long marker = old != null ? old.marker() : ++markers;
        String id = old != null ? old.id() : random.nextBoolean() ? "id-" + marker : null;
        pay(tenant, marker, id);
    }

    private Payment pay(String tenant, long marker, @Nullable String id) {
        Map<String, Object> params = new HashMap<>(Map.of(
                "contractAddress",
                ScriptedNode.TOKEN.toPaddedHex(),
                "contractFuncName",
                "transfer",
                "contractCallData",
                "1," + marker + ",0",
                "senderAddress",
                senders.get(TENANTS.indexOf(tenant))));
        if (id != null) {
            params.put("requestId", id);
            params.put("detached", random.nextInt(4) == 0);
        }
        TestCall call = call(tenant, "l2Net_sendTransaction", params);
        if (tenant.equals("robot") && (id == null || allowed.add(marker))) {
            approvals.merge(marker, 1, Integer::sum);
        }
        Payment payment = new Payment(tenant, marker, id, call, answer(call));
        payments.add(payment);
        return payment;
    }

    private CompletableFuture<JsonNode> answer(MethodCall call) {
        CompletionStage<JsonNode> stage;
        try {
            stage = core().endpoint().handle(call);
        } catch (RpcException e) {
            stage = CompletableFuture.failedStage(e);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(Waiting.unwrapped(failure));
            }
        });
        return answer;
    }

    private void decide(boolean approve) {
        List<ParkedRequest> parked = queue().parked();
        if (parked.isEmpty()) {
            return;
        }
        ParkedRequest one = parked.get(random.nextInt(parked.size()));
        Claim claim = queue().claim(one.id());
        if (claim == null) {
            return;
        }
        if (approve) {
            long marker = one.request()
                    .calls()
                    .get(0)
                    .calldata()
                    .get(1)
                    .toBigInteger()
                    .longValueExact();
            approvals.merge(marker, 1, Integer::sum);
            claim.approve();
        } else {
            claim.refuse();
        }
    }

    private void leave() {
        if (!payments.isEmpty()) {
            payments.get(random.nextInt(payments.size())).call().leaveOnce();
        }
    }

    /** One random event. */
    void step() {
        switch (random.nextInt(18)) {
            case 0, 1, 2, 3 -> pay();
            case 4, 5, 6 -> decide(true);
            case 7 -> decide(false);
            case 8 -> leave();
            case 9 -> scheduler.elapse();
            case 10, 11 -> node.next(Fate.values()[random.nextInt(Fate.values().length)]);
            case 12 -> node.cut(random.nextInt(3) == 0);
            case 13 -> node.block();
            case 14 -> node.drop();
            case 15 -> {
                now = now.plus(Duration.ofSeconds(random.nextInt(100)));
                scheduler.round();
            }
            case 16 -> crash();
            case 17 -> {
                node.lie(random.nextInt(3) == 0);
                if (random.nextInt(4) == 0) {
                    node.restart();
                }
            }
            default -> throw new AssertionError();
        }
    }

    /** Lets the node behave, and one payment of each tenant through. */
    void settle() {
        node.behave();
        while (!queue().parked().isEmpty()) {
            decide(false);
        }
        for (int round = 0; round < 3; round++) {
            now = now.plus(Duration.ofSeconds(90));
            scheduler.round();
            node.block();
        }
        for (String tenant : TENANTS) {
            for (int attempt = 0; attempt < 12; attempt++) {
                Payment last = pay(tenant, ++markers, null);
                decide(true);
                node.block();
                if (!last.answer().isCompletedExceptionally() && last.answer().isDone()) {
                    break;
                }
            }
        }
        for (int round = 0; round < 2; round++) {
            now = now.plus(Duration.ofSeconds(90));
            scheduler.round();
            node.block();
        }
    }

    /** What does not hold, one line each. */
    List<String> problems() throws Exception {
        List<String> problems = new ArrayList<>();
        Map<Long, Set<Felt>> signed = new HashMap<>();
        Map<Felt, Long> markerOf = new HashMap<>();
        BigInteger robots = BigInteger.ZERO;
        for (int index = 0; index < TENANTS.size(); index++) {
            HistoryTable.Owner owner =
                    new HistoryTable.Owner(TENANTS.get(index), ScriptedNode.CHAIN_ID, Felt.parse(senders.get(index)));
            for (StoredTransaction one : new HistoryTable(java.util.Objects.requireNonNull(database))
                    .page(owner, new HistoryTable.Filter(Instant.EPOCH, null, true), null, MAX_STORED)) {
                long marker =
                        one.calls().get(0).calldata().get(1).toBigInteger().longValueExact();
                signed.computeIfAbsent(marker, missing -> new HashSet<>()).add(one.hash());
                markerOf.put(one.hash(), marker);
                robots = index == 1 ? robots.add(one.maxFee()) : robots;
            }
        }
        node.seen.forEach((hash, body) -> {
            long marker = Felt.parseHex(body.path("calldata").path(5).stringValue())
                    .toBigInteger()
                    .longValueExact();
            signed.computeIfAbsent(marker, missing -> new HashSet<>()).add(hash);
            markerOf.put(hash, marker);
        });
        signed.forEach((marker, hashes) -> {
            if (hashes.size() > approvals.getOrDefault(marker, 0)) {
                problems.add("payment " + marker + ": " + hashes.size() + " transactions (expected: at most "
                        + approvals.getOrDefault(marker, 0) + ", the approvals)");
            }
        });
        for (Payment payment : payments) {
            String told = told(payment.answer());
            if (told != null && !Long.valueOf(payment.marker()).equals(markerOf.get(Felt.parse(told)))) {
                problems.add("payment " + payment.marker() + ": told the hash of " + markerOf.get(Felt.parse(told)));
            }
        }
        if (node.waiting() > 0) {
            problems.add(node.waiting() + " transactions wait behind a gap");
        }
        checkSum(robots, problems);
        return problems;
    }

    private static @Nullable String told(CompletableFuture<JsonNode> answer) {
        if (!answer.isDone()) {
            return null;
        }
        try {
            return answer.join().path("transaction_hash").stringValue();
        } catch (RuntimeException e) {
            return Waiting.unwrapped(e) instanceof RpcException rpc
                            && rpc.data() != null
                            && rpc.data().has("transaction_hash")
                    ? rpc.data().path("transaction_hash").stringValue()
                    : null;
        }
    }

    private void checkSum(BigInteger robots, List<String> problems) throws Exception {
        Path file = folder.resolve("approved-fees.json");
        BigInteger counted = Files.exists(file)
                ? new BigInteger(WalletFixture.MAPPER
                        .readTree(Files.readAllBytes(file))
                        .path("sums")
                        .path("robot")
                        .asString("0"))
                : BigInteger.ZERO;
        if (counted.compareTo(robots) < 0) {
            problems.add("the sum is " + counted + " (expected: at least " + robots + ", which was signed)");
        }
    }
}
