package io.weir.wallet.approval;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.PluginMeters;
import io.weir.l2.Felt;
import io.weir.testing.SettingsText;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.Origin;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.TestRequests;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A queue of approvals for tests, and requests to put into it. Thread-safe. */
public final class ApprovalFixture implements AutoCloseable {

    /** The credential whose hash the settings hold. */
    public static final String CREDENTIAL = "the approver's own";

    public static final Felt ACCOUNT = Felt.parseHex("0xacc");
    public static final Felt TOKEN = Felt.parseHex("0x70ce");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final ApprovalSettings settings;
    private final WalletDatabase database;
    private final ApprovalQueue queue;

    private ApprovalFixture(Path folder, Clock clock, String lines, DecisionLog log) {
        settings = settings(lines);
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        queue = new ApprovalQueue(
                settings, new RequestTable(database, clock, 120, 10_000), scheduler, clock, meters(), log);
    }

    /** A queue with these settings over the usual ones. */
    public static ApprovalFixture of(Path folder, String lines) {
        return of(folder, Clock.systemUTC(), lines);
    }

    /** The same, by another clock. */
    public static ApprovalFixture of(Path folder, Clock clock, String lines) {
        return new ApprovalFixture(folder, clock, lines, AuditLog.off());
    }

    /** A queue that notes its decisions. */
    public static ApprovalFixture logging(Path folder, String lines, DecisionLog log) {
        return new ApprovalFixture(folder, Clock.systemUTC(), lines, log);
    }

    /** Settings without a problem. */
    public static ApprovalSettings settings(String lines) {
        List<String> problems = new ArrayList<>();
        ApprovalSettings read = read("approver-sha256 = \"" + credentialSha256() + "\"\n" + lines, problems);
        assertThat(problems).isEmpty();
        return read;
    }

    /** The hash of {@link #CREDENTIAL} in hex. */
    public static String credentialSha256() {
        return sha256(CREDENTIAL);
    }

    /** The hash of a credential in hex. */
    public static String sha256(String credential) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest(credential.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static ApprovalSettings read(String lines, List<String> problems) {
        return SettingsText.read(ApprovalSettings.class, lines, problems);
    }

    public ApprovalQueue queue() {
        return queue;
    }

    /** Where decisions are stored, 120 of persons at most. */
    public WalletDatabase database() {
        return database;
    }

    public ApprovalSettings settings() {
        return settings;
    }

    /** Asks, with all the time that the settings give. */
    public CompletableFuture<Decision> ask(Content content) {
        return queue.ask(TestRequests.one(), content, queue.timeout()).toCompletableFuture();
    }

    /** Asks to show a key. */
    public CompletableFuture<Decision> reveal(Content.Key content, Approvals.KeySource key) {
        return queue.reveal(TestRequests.one(), content, key, queue.timeout()).toCompletableFuture();
    }

    /** Keeps the time of requests from running out until the latch is open. */
    void holdTimer(CountDownLatch until) {
        scheduler.execute(() -> {
            try {
                until.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The one request that waits. */
    public Request only() {
        assertThat(queue.parked()).hasSize(1);
        return queue.parked().get(0);
    }

    /** What a meter shows. */
    public long count(String meter) {
        return counts.get(meter).get();
    }

    /** A transfer of the tenant's account, which may cost this much. */
    public static Content transfer(String tenant, long feeFri) {
        return transaction(tenant, feeFri, call(TOKEN, "transfer"));
    }

    /** A transaction of the tenant's account. */
    public static Content transaction(String tenant, long feeFri, RequestedCall... calls) {
        return Content.ofCalls(origin(tenant, "sendTransaction"), ACCOUNT, List.of(calls), BigInteger.valueOf(feeFri));
    }

    /** A call with one argument. */
    public static RequestedCall call(Felt contract, String function) {
        return new RequestedCall(
                contract, function, List.of(Felt.of(7)), List.of(new Argument("recipient", "felt", "0x7")));
    }

    /** A message to sign, which allows these calls. */
    public static Content message(String tenant, String json, RequestedCall... calls) {
        JsonNode typedData = JSON.readTree(json);
        return new Content.Message(origin(tenant, "signMessage"), ACCOUNT, typedData, List.of(calls));
    }

    /** The wish to see a key. */
    public static Content.Key key(String tenant) {
        return new Content.Key(origin(tenant, "displayPrivateKey"), ACCOUNT);
    }

    /** A request that is known to ask for something. */
    public static Request asked(Content content) {
        Request request = TestRequests.one();
        request.setContent(content);
        return request;
    }

    private static Origin origin(String tenant, String method) {
        return new Origin(tenant, method, new L2Network("l2test", L2Networks.parse("SN_SEPOLIA")));
    }

    private PluginMeters meters() {
        return new PluginMeters() {
            @Override
            public Counter counter(String name, String help) {
                AtomicLong count = counts.computeIfAbsent(name, any -> new AtomicLong());
                return count::addAndGet;
            }

            @Override
            public void gauge(String name, String help, LongSupplier value) {
                assertThat(value.getAsLong()).isZero();
            }

            @Override
            public Timer timer(String name, String help) {
                return (Duration any) -> {};
            }
        };
    }

    @Override
    public void close() {
        queue.close();
        database.close();
        scheduler.shutdownNow();
    }
}
