package io.weir.wallet;

import io.weir.api.AdminPage.Response;
import io.weir.api.RpcException;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalSettings;
import io.weir.wallet.approval.Request;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.page.ApprovalsPage;
import io.weir.wallet.page.PageClient;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.HandScheduler;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.TestCall;
import io.weir.wallet.testing.TestHost;
import io.weir.wallet.testing.TestSeeds;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A wallet in a process of its own, with its approvals page and its audit log, whose waiting requests are decided on from all sides at the
 * same time, in one race after the other, until it is killed: {@code FOLDER URL SENDER FIRST SEED}. The number of a request is in its id,
 * and is the amount that it pays. It says when a race begins and is over, which decision a person was told to have made, and what a caller
 * was told to have sent.
 */
final class RacedWallet {
    /** The requests of a race, each with two callers; half of them are asked for again in the next race. */
    static final int WIDTH = 4;

    /** How far the next race is. */
    static final int STEP = WIDTH / 2;

    private static final String SECOND_CREDENTIAL = "the second approver's own";
    private static final ApprovalSettings SETTINGS =
            ApprovalFixture.settings("approvers.bob.sha256 = \"" + ApprovalFixture.sha256(SECOND_CREDENTIAL) + "\"");

    private final HandScheduler deadlines = new HandScheduler();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final TestHost host;
    private final WalletCore core;
    private final ApprovalQueue queue;
    private final List<Person> persons;
    private final String sender;
    private final Random random;

    /** A caller of a request, and what it is answered. */
    private record Caller(int number, TestCall call, CompletableFuture<JsonNode> answer) {}

    /** Somebody who has signed in at the page. */
    private record Person(PageClient client, String cookie, String token) {
        static Person of(ApprovalsPage page, String credential) {
            PageClient client = new PageClient(page);
            String cookie = client.signedIn(credential);
            return new Person(client, cookie, client.token(cookie));
        }

        void decide(Request one, String decision) {
            Response response =
                    client.post("decision", cookie, Map.of("token", token, "id", one.id(), "decision", decision));
            if (response.status() == 303) {
                say("decided " + one.id() + " " + one.requestId() + " " + decision);
            } else if (response.status() != 409) {
                say("problem " + response.status() + " "
                        + PageClient.text(response).replaceAll("\\s+", " "));
            }
        }
    }

    private RacedWallet(Path folder, String url, String sender, long seed) {
        this.sender = sender;
        random = new Random(seed);
        host = new TestHost(folder, new HttpChain(url), WalletFixture.QUICK);
        WalletDatabase database = new WalletDatabase(folder.resolve("wallet.db"));
        Clock clock = Clock.systemUTC();
        AuditLog audit = AuditLog.of(folder.resolve("audit.jsonl"), host.executor(), clock);
        RequestTable requests = new RequestTable(database, clock);
        queue = new ApprovalQueue(SETTINGS, requests, deadlines.asService(), clock, host.meters(), audit);
        core = new WalletCore(
                host, host.settings(WalletSettings.class), new TestSeeds(), queue, requests, audit, System::nanoTime);
        audit.start();
        core.start();
        ApprovalsPage page = new ApprovalsPage("wallet", queue, SETTINGS, clock, System::nanoTime, new SecureRandom());
        page.offer(core.sources());
        persons = List.of(Person.of(page, ApprovalFixture.CREDENTIAL), Person.of(page, SECOND_CREDENTIAL));
    }

    public static void main(String[] arguments) throws Exception {
        try {
            RacedWallet wallet =
                    new RacedWallet(Path.of(arguments[0]), arguments[1], arguments[2], Long.parseLong(arguments[4]));
            for (int first = Integer.parseInt(arguments[3]); ; first += STEP) {
                wallet.race(first);
            }
        } catch (Exception | AssertionError e) {
            say("problem " + e);
            throw e;
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    static String id(int number) {
        return "request-" + number;
    }

    private void race(int first) throws Exception {
        List<Caller> callers = IntStream.range(first, first + WIDTH)
                .boxed()
                .flatMap(number -> Stream.of(caller(number), caller(number)))
                .toList();
        together(callers.stream().<Runnable>map(caller -> () -> ask(caller)).toList());
        // Whatever has no answer now waits for a decision.
        List<Runnable> rivals = new ArrayList<>();
        queue.parked().forEach(one -> rivals.addAll(rivals(one, callers)));
        if (random.nextInt(3) == 0) {
            rivals.add(deadlines::elapseAll);
        }
        Collections.shuffle(rivals, random);
        say("race " + first);
        together(rivals);
        queue.parked().forEach(one -> persons.get(0).decide(one, "approve"));
        for (Caller caller : callers) {
            caller.answer().handle((value, failure) -> true).get(60, TimeUnit.SECONDS);
        }
        say("over " + first);
    }

    /** Two or three of those who could decide on a request: a person, another one either way, and now and then its callers by leaving. */
    private List<Runnable> rivals(Request one, List<Caller> callers) {
        List<Runnable> all = new ArrayList<>();
        persons.forEach(person -> all.add(() -> person.decide(one, "approve")));
        all.add(() -> persons.get(1).decide(one, "refuse"));
        if (random.nextBoolean()) {
            all.add(() -> callers.stream()
                    .filter(caller -> id(caller.number()).equals(one.requestId()))
                    .forEach(caller -> caller.call().leave()));
        }
        Collections.shuffle(all, random);
        return all.subList(0, 2 + random.nextInt(2));
    }

    /** Does all at the same time, and waits for the end of each. */
    private void together(List<Runnable> all) {
        CyclicBarrier start = new CyclicBarrier(Math.max(1, all.size()));
        CompletableFuture.allOf(all.stream()
                        .map(one -> CompletableFuture.runAsync(
                                () -> {
                                    pass(start);
                                    one.run();
                                },
                                threads))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private static void pass(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Caller caller(int number) {
        ObjectNode envelope = WalletFixture.MAPPER.createObjectNode().put("snapId", WalletFixture.SNAP_ID);
        ObjectNode params = envelope.putObject("request")
                .put("method", "l2Net_sendTransaction")
                .putObject("params");
        params.put("senderAddress", sender)
                .put("contractAddress", ScriptedNode.TOKEN.toPaddedHex())
                .put("contractFuncName", "transfer")
                .put("contractCallData", "1," + number + ",0")
                .put("requestId", id(number))
                .put("detached", number % 5 == 0);
        TestCall call = new TestCall(WalletFixture.TENANT, envelope, host.executor(), host.chain(), true);
        return new Caller(number, call, new CompletableFuture<>());
    }

    private void ask(Caller caller) {
        try {
            core.handlers().get(0).handle(caller.call()).whenComplete((value, failure) -> {
                if (failure == null) {
                    say("sent " + caller.number() + " "
                            + value.path("transaction_hash").stringValue());
                } else if (!(Waiting.unwrapped(failure) instanceof RpcException)) {
                    say("problem " + failure);
                }
                caller.answer().complete(value);
            });
        } catch (RpcException e) {
            caller.answer().completeExceptionally(e);
        }
    }
}
