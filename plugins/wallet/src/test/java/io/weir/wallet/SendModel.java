package io.weir.wallet;

import io.weir.api.MethodCall;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalQueue.Claim;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Request;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.HandClock;
import io.weir.wallet.testing.HandScheduler;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.TestCall;
import io.weir.wallet.testing.TestHost;
import io.weir.wallet.testing.TestSeeds;
import io.weir.wallet.testing.UnreliableNode;
import io.weir.wallet.testing.UnreliableNode.Fate;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One random history of a wallet: its events. Confined to one thread. */
final class SendModel {
    /** The tenant of a person, one whose policy allows all, and one whose policy has narrow bounds. */
    static final List<String> TENANTS = List.of("demo", "robot", "clerk");

    static final long PER_CALL = 20;
    static final long PER_DAY = 100;
    private static final String POLICIES = """
            approval.tenants.robot {
              policy = allow, contracts = ["*"], functions = ["*"]
              max-fee-fri = "1000000000000", max-fee-per-day-fri = "1000000000000"
            }
            approval.tenants.clerk {
              policy = allow, contracts = ["*"], functions = [transfer, constructor]
              max-fee-fri = "400000", max-fee-per-day-fri = "3000000"
              amounts { "%s" { per-call = %d, per-day = %d } }
            }
            """.formatted(ScriptedNode.TOKEN.toHex(), PER_CALL, PER_DAY);
    private static final ApprovalSettings SETTINGS = ApprovalFixture.settings(POLICIES);
    private static final TestSeeds SEEDS = new TestSeeds();
    private static final int ACCOUNTS = 2;

    private final Random random;
    final Path folder;
    final UnreliableNode node;
    /** The accounts of each tenant. */
    private final Map<String, List<String>> accounts = new HashMap<>();

    private final List<Payment> payments = new ArrayList<>();
    /** Everything that was asked for, with what its hash must be of. */
    final List<Answer> answers = new ArrayList<>();
    /** How often each subject was approved, at most. */
    final Map<String, Integer> approvals = new HashMap<>();

    private final Set<Long> allowed = new HashSet<>();
    /** The accounts that sent anything. */
    private final Set<String> used = new HashSet<>();

    private final List<String> problems = new ArrayList<>();
    /** The transactions that the wallet knew to be in blocks when their chain ended, and that chain. */
    final Map<Felt, Long> accepted = new HashMap<>();

    /** The decisions of the person, with those about replacements. */
    int approvedByPerson;

    private final HandClock clock = new HandClock(Instant.parse("2026-01-10T00:00:00Z"));
    private long markers;
    private HandScheduler scheduler = new HandScheduler();
    private @Nullable AuditLog audit;
    private @Nullable WalletCore core;
    private @Nullable ApprovalQueue queue;

    /** A payment that somebody asked for; each has an amount of its own, its marker. */
    private record Payment(
            String tenant, long marker, @Nullable String id, TestCall call, CompletableFuture<JsonNode> answer) {}

    /** An answer, and the subject of the transaction whose hash it tells. */
    record Answer(String subject, CompletableFuture<JsonNode> stage) {}

    SendModel(long seed, Path folder) {
        this.random = new Random(seed);
        this.folder = folder;
        this.node = new UnreliableNode(random);
        open();
        for (String tenant : TENANTS) {
            List<String> own = accounts.computeIfAbsent(tenant, missing -> new ArrayList<>());
            for (int index = 0; index < ACCOUNTS; index++) {
                int at = TENANTS.indexOf(tenant) * ACCOUNTS + index;
                own.add(Waiting.forResult(core().handlers()
                                .get(0)
                                .handle(call(tenant, "l2Net_createAccount", Map.of("addressIndex", at))))
                        .path("address")
                        .stringValue());
            }
            node.deploy(Felt.parseHex(own.get(0)));
        }
    }

    private WalletCore core() {
        return Objects.requireNonNull(core);
    }

    private ApprovalQueue queue() {
        return Objects.requireNonNull(queue);
    }

    private void open() {
        scheduler = new HandScheduler();
        TestHost made = TestHost.byHand(folder, node, "", scheduler);
        WalletDatabase database = new WalletDatabase(folder.resolve("wallet.db"));
        audit = AuditLog.of(folder.resolve("audit.jsonl"), Runnable::run, clock);
        RequestTable requests = new RequestTable(database, clock);
        queue = new ApprovalQueue(SETTINGS, requests, scheduler.asService(), clock, made.meters(), audit);
        core = new WalletCore(made, made.settings(WalletSettings.class), SEEDS, queue, requests, audit, clock::nanos);
        audit.start();
        core.start();
    }

    /** As kill -9: nothing is ended or told. */
    private void crash() {
        close();
        open();
    }

    void close() {
        core().close();
        Objects.requireNonNull(audit).close();
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
        String tenant = old != null ? old.tenant() : TENANTS.get(random.nextInt(TENANTS.size()));
        long marker = old != null ? old.marker() : ++markers;
        String id = old != null ? old.id() : random.nextBoolean() ? "id-" + marker : null;
        pay(tenant, marker, id);
    }

    /** The account and the number of calls follow from the marker: equal payments are equal. */
    private String account(String tenant, long marker) {
        return accounts.get(tenant).get(marker % 3 == 0 ? 1 : 0);
    }

    private Payment pay(String tenant, long marker, @Nullable String id) {
        String sender = account(tenant, marker);
        used.add(sender);
        Map<String, Object> transfer = Map.of(
                "contractAddress",
                ScriptedNode.TOKEN.toPaddedHex(),
                "contractFuncName",
                "transfer",
                "contractCallData",
                "1," + marker + ",0");
        Map<String, Object> params = new HashMap<>(Map.of("senderAddress", sender));
        if (marker % 4 == 0) {
            params.put("calls", List.of(transfer, transfer));
        } else {
            params.putAll(transfer);
        }
        if (id != null) {
            params.put("requestId", id);
            params.put("detached", random.nextInt(4) == 0);
        }
        TestCall call = call(tenant, "l2Net_sendTransaction", params);
        if (!tenant.equals("demo") && (id == null || allowed.add(marker))) {
            approve(Subjects.payment(marker));
            approve(Subjects.deployment(sender));
        }
        Payment payment = new Payment(tenant, marker, id, call, answer(Subjects.payment(marker), call));
        payments.add(payment);
        return payment;
    }

    private void approve(String subject) {
        approvals.merge(subject, 1, Integer::sum);
    }

    private void deploy() {
        String tenant = TENANTS.get(random.nextInt(TENANTS.size()));
        int index = random.nextInt(ACCOUNTS);
        String account = accounts.get(tenant).get(index);
        used.add(account);
        String subject = Subjects.deployment(account);
        if (!tenant.equals("demo")) {
            approve(subject);
        }
        int at = TENANTS.indexOf(tenant) * ACCOUNTS + index;
        answer(subject, call(tenant, "l2Net_createAccount", Map.of("addressIndex", at, "deploy", true)));
    }

    private CompletableFuture<JsonNode> answer(String subject, MethodCall call) {
        CompletionStage<JsonNode> stage;
        try {
            stage = core().handlers().get(0).handle(call);
        } catch (RpcException e) {
            stage = CompletableFuture.failedStage(e);
        }
        return answer(subject, stage);
    }

    private CompletableFuture<JsonNode> answer(String subject, CompletionStage<JsonNode> stage) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(Waiting.unwrapped(failure));
            }
        });
        answers.add(new Answer(subject, answer));
        return answer;
    }

    private void decide(boolean approve) {
        List<Request> parked = queue().parked();
        if (parked.isEmpty()) {
            return;
        }
        Request one = parked.get(random.nextInt(parked.size()));
        Claim claim = queue().claim(one.id(), "alice");
        if (claim == null) {
            return;
        }
        if (approve) {
            List<RequestedCall> calls = one.content().calls();
            calls.stream().map(Subjects::of).distinct().forEach(this::approve);
            approvedByPerson++;
            claim.approve();
        } else {
            claim.refuse();
        }
    }

    private void replace(boolean raise) {
        List<StoredTransaction> replaceable = core().remedies().replaceable();
        if (replaceable.isEmpty()) {
            return;
        }
        StoredTransaction one = replaceable.get(random.nextInt(replaceable.size()));
        String subject = raise ? Subjects.of(one) : Subjects.CANCEL;
        approve(subject);
        approvedByPerson++;
        CompletionStage<Felt> sent = raise
                ? core().remedies().raise(one, "approver")
                : core().remedies().cancel(one, "approver");
        answer(
                subject,
                sent.thenApply(
                        hash -> WalletFixture.MAPPER.createObjectNode().put("transaction_hash", hash.toPaddedHex())));
    }

    private void leave() {
        if (!payments.isEmpty()) {
            payments.get(random.nextInt(payments.size())).call().leaveOnce();
        }
    }

    /** One random event. */
    void step() throws Exception {
        switch (random.nextInt(25)) {
            case 0, 1, 2, 3, 4 -> pay();
            case 5, 6, 7, 8 -> decide(true);
            case 9 -> decide(false);
            case 10 -> leave();
            case 11 -> scheduler.elapse();
            case 12, 13 -> node.next(Fate.values()[random.nextInt(Fate.values().length)]);
            case 14 -> node.cut(random.nextInt(3) == 0);
            case 15, 16 -> node.block();
            case 17 -> node.drop();
            case 18, 19 -> time(random.nextInt(100));
            case 20 -> crash();
            case 21 -> {
                node.lie(random.nextInt(3) == 0);
                if (random.nextInt(4) == 0) {
                    node.restart();
                }
            }
            case 22 -> deploy();
            case 23 -> replace(random.nextBoolean());
            case 24 -> rare();
            default -> throw new AssertionError();
        }
    }

    private void rare() throws Exception {
        if (random.nextInt(3) == 0) {
            SendModelCheck.accepted(this).forEach(hash -> accepted.put(hash, node.chain()));
            node.beginAnew();
            // The requests of the old chain are forgotten: their ids are free.
            allowed.clear();
        } else if (random.nextInt(3) == 0) {
            settle();
        }
    }

    private void time(int seconds) {
        clock.pass(Duration.ofSeconds(seconds));
        scheduler.round();
    }

    /**
     * Lets the node behave, and one payment from each account through. Then nothing may be held up. Only an account of which the
     * node's lies and refusals left several nonces free pays once for each. The wallet has nothing else that fills them: a nonce that
     * was said to be used has no transaction, and one that was refused is not given again, because its caller may have paid anew. Each
     * further transaction needs an approval of its own.
     */
    void settle() throws Exception {
        node.behave();
        while (!queue().parked().isEmpty()) {
            decide(false);
        }
        rounds(3);
        for (String tenant : TENANTS) {
            for (int remainder : new int[] {0, 1}) {
                String account = account(tenant, remainder);
                int payments = Math.max(1, node.spoiltNonces(Felt.parseHex(account)));
                for (int payment = 0; used.contains(account) && payment < payments; payment++) {
                    payThrough(tenant, remainder);
                }
            }
        }
        rounds(2);
        SendModelCheck.settled(this, problems);
    }

    private void payThrough(String tenant, int remainder) {
        for (int attempt = 0; attempt < 12; attempt++) {
            do {
                markers++;
            } while (markers % 3 != remainder);
            Payment last = pay(tenant, markers, null);
            decide(true);
            rounds(1);
            if (last.answer().isDone() && !last.answer().isCompletedExceptionally()) {
                return;
            }
        }
        problems.add("no payment of " + tenant + " comes through");
    }

    private void rounds(int count) {
        for (int round = 0; round < count; round++) {
            time(90);
            node.block();
            scheduler.elapseAll();
        }
    }

    /** What does not hold, one line each. */
    List<String> problems() throws Exception {
        SendModelCheck.ended(this, problems);
        return problems;
    }
}
