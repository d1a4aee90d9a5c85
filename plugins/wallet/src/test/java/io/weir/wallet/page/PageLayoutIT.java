package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.testing.TestRequests;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages in windows of a desk and of a telephone. Pictures of them are written to {@code target/screenshots}. */
final class PageLayoutIT {
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final Felt FULL_WORD = Felt.of(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE));
    private static final Felt RECIPIENT = Felt.parseHex("0x01" + "8a7".repeat(20));
    private static final String MESSAGE =
            """
            {"types":{
              "StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
                {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
              "Order":[{"name":"maker","type":"ContractAddress"},{"name":"sell","type":"TokenAmount"},
                {"name":"buy","type":"TokenAmount*"},{"name":"note","type":"string"},{"name":"expires","type":"timestamp"}]},
             "primaryType":"Order",
             "domain":{"name":"A market","version":"1","chainId":"0x534e5f5345504f4c4941","revision":"1"},
             "message":{"maker":"%s",
               "sell":{"token_address":"%s","amount":{"low":"0x5f5e100","high":"0x0"}},
               "buy":[{"token_address":"0x2a","amount":{"low":"0x1","high":"0x0"}},
                      {"token_address":"0x2b","amount":{"low":"0x2","high":"0x0"}}],
               "note":"Ship to\\u202e the usual address, and %s","expires":"1795500000"}}
            """.formatted(RECIPIENT.toPaddedHex(), TOKEN.toPaddedHex(), "averylongwordwithoutanybreak".repeat(6));

    @TempDir
    private static Path folder;

    private static PageFixture pages;
    private static PageServer server;
    private static Browser browser;
    private static String transaction;
    private static String message;
    private static String outside;
    private static String decided;

    @BeforeAll
    static void start() throws IOException {
        Browser.require();
        pages = new PageFixture(folder);
        pages.storeAccount("demo", 3);
        server = new PageServer(pages.page);
        browser = Browser.start(server.url());
        decide();
        transaction = ask("transaction");
        message = ask("message");
        outside = ask("outside");
        pages.approvals.reveal(ApprovalFixture.key("operations"), () -> new byte[32]);
        pages.approvals.queue().ask(TestRequests.of("again", "invoice-2026-117", 0), payment(), Duration.ofMinutes(2));
        pages.pass(Duration.ofSeconds(94));
    }

    private static void decide() {
        SignedInClient client = SignedInClient.of(pages.page);
        for (TransactionState state :
                List.of(TransactionState.ACCEPTED_ON_L2, TransactionState.RECEIVED, TransactionState.REJECTED)) {
            pages.approvals.ask(payment());
            decided = pages.approvals.only().id();
            client.get("", java.util.Map.of());
            client.decide(decided, "approve");
            pages.requests.move(decided, RequestState.SUBMITTED, "", 0, "");
            pages.transactions.move(
                    pages.sign(decided),
                    state,
                    state == TransactionState.REJECTED ? "Account balance is smaller than the maximal fee" : "");
            pages.pass(Duration.ofMinutes(7));
        }
        pages.approvals.ask(ApprovalFixture.message("demo", MESSAGE));
        client.decide(pages.approvals.only().id(), "refuse");
    }

    private static io.weir.wallet.approval.Content payment() {
        return ApprovalFixture.transaction("demo", 1_512_345_678_901_234L, call("transfer", Felt.of(1_500_000_000L)));
    }

    private static RequestedCall call(String function, Felt low) {
        return new RequestedCall(
                TOKEN,
                function,
                List.of(RECIPIENT, low, low.equals(FULL_WORD) ? FULL_WORD : Felt.ZERO),
                List.of(
                        new Argument("recipient", "ContractAddress", RECIPIENT.toPaddedHex()),
                        new Argument("amount", "u256", low.toBigInteger().toString())));
    }

    private static String ask(String id) {
        List<Felt> data = IntStream.range(0, 12).mapToObj(i -> RECIPIENT).toList();
        RequestedCall swap = new RequestedCall(
                RECIPIENT, "multi_route_swap", data, List.of(new Argument("routes", "Route*", data.toString())));
        RequestedCall upgrade = new RequestedCall(ApprovalFixture.ACCOUNT, "upgrade", List.of(RECIPIENT), List.of());
        var request = switch (id) {
            case "message" -> ApprovalFixture.message("demo", MESSAGE);
            case "outside" ->
                ApprovalFixture.message(
                        "demo",
                        TypedMessages.all().get(0).json(),
                        call("transfer", Felt.of(6_000_000_000L)),
                        call("approve", FULL_WORD),
                        upgrade);
            default ->
                ApprovalFixture.transaction(
                        "demo",
                        1_512_345_678_901_234L,
                        call("transfer", Felt.of(6_000_000_000L)),
                        call("approve", FULL_WORD),
                        swap);
        };
        pages.approvals.queue().ask(TestRequests.of(id, null, 1), request, Duration.ofMinutes(2));
        return id;
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
            server.close();
            pages.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1400, 1280, 400, 360})
    void everyPageIsReadableWithoutScrollingSideways(int width) throws IOException {
        browser.resize(width, 900);
        look("sign-in", width, "");
        browser.signIn(ApprovalFixture.CREDENTIAL);
        look("list", width, "");
        look("transaction", width, "/request?id=" + transaction);
        look("message", width, "/request?id=" + message);
        assertThat(browser.text("#message-chain")).isEqualTo("For the chain SN_SEPOLIA (0x534e5f5345504f4c4941).");
        assertThat(browser.text("#message")).contains("Ship to[U+202E] the usual address");
        look("outside", width, "/request?id=" + outside);
        assertThat(browser.text()).contains("The account calls itself.", "Anybody (ANY_CALLER) may submit");
        look("result", width, "/request?id=" + decided);
        look("history", width, "/history");
        browser.forgetCookies();
    }

    private static void look(String name, int width, String address) throws IOException {
        browser.open(address);
        browser.screenshot(PICTURES.resolve(name + "-" + width + ".png"));
        assertThat(browser.fitsInWidth()).as("%s within %d pixels", name, width).isTrue();
    }
}
