package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.ACCOUNT;
import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.page.TypedMessages.Row;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The words of each kind of message and call in a real browser. Pictures of twelve of them are written to {@code
 * target/screenshots/requests}.
 */
final class RequestsInBrowserIT {
    private static final Path PICTURES = Path.of("target", "screenshots", "requests");
    private static final Felt RECIPIENT = Felt.parseHex("0x01" + "8a7".repeat(20));
    private static final Felt FULL_WORD = Felt.of(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE));

    /** One message of each kind; the table of all is in {@link TypedMessagesTest}. */
    private static final List<String> KINDS = List.of(
            "version 1: one call, for anybody by the text",
            "version 1: a named caller, and no end",
            "version 2: a contract without a class shows its selector and the elements",
            "version 2: a call of the account itself",
            "version 2: nine tokens and an allowance without a limit",
            "permit with a token, a spender and an amount",
            "permit without a limit",
            "sign-in",
            "order");

    @TempDir
    private static Path folder;

    private static PageFixture pages;
    private static PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Browser.require();
        pages = new PageFixture(folder);
        pages.storeAccount("demo", 3);
        server = new PageServer(pages.page);
        browser = Browser.start(server.url());
        browser.resize(1280, 900);
        browser.signIn(ApprovalFixture.CREDENTIAL);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
            server.close();
            pages.close();
        }
    }

    private static Stream<Row> messages() {
        return TypedMessages.all().stream().filter(row -> KINDS.contains(row.name()));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageSaysWhatItsSignatureAllows(Row row) throws IOException {
        String id = TypedMessages.ask(pages, row);
        String seen = seen(id, "message-" + (KINDS.indexOf(row.name()) + 1));
        row.sentences().forEach(sentence -> assertThat(seen).contains(sentence));
        row.dangers()
                .forEach(danger -> assertThat(seen.split(Pattern.quote(danger), -1))
                        .as("in the list and on the page: %s", danger)
                        .hasSizeGreaterThan(2));
    }

    /** A call and its words. Immutable. */
    private record Transaction(String name, RequestedCall call, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Transaction> transactions() {
        return Stream.of(
                new Transaction(
                        "transaction-1",
                        new RequestedCall(
                                TOKEN,
                                "transfer",
                                List.of(RECIPIENT, Felt.of(1_500_000_000L), Felt.ZERO),
                                List.of(
                                        new Argument("recipient", "ContractAddress", RECIPIENT.toPaddedHex()),
                                        new Argument("amount", "u256", "1500000000"))),
                        List.of("transfer 1500 USDC to " + RECIPIENT.toPaddedHex(), "Transfers 1500 USDC")),
                new Transaction(
                        "transaction-2",
                        new RequestedCall(ACCOUNT, "upgrade", List.of(RECIPIENT), List.of()),
                        List.of("The account calls itself.", "upgrade at the account itself")),
                new Transaction(
                        "transaction-3",
                        new RequestedCall(TOKEN, "approve", List.of(RECIPIENT, FULL_WORD, FULL_WORD), List.of(), true),
                        List.of(
                                "An allowance has no limit: the spender can take everything, now and later.",
                                "It has no function approve.",
                                "to take everything, without a limit, now and later: any amount of")));
    }

    @ParameterizedTest
    @MethodSource("transactions")
    void aCallSaysWhatItDoesAndWhatCanGoWrong(Transaction transaction) throws IOException {
        pages.approvals.ask(ApprovalFixture.transaction("demo", 1_512_345_678_901_234L, transaction.call()));
        String seen = seen(pages.approvals.only().id(), transaction.name());
        transaction.words().forEach(words -> assertThat(seen).contains(words));
    }

    /** Returns the list and the page as a person reads them, and refuses the request. */
    private static String seen(String id, String picture) throws IOException {
        browser.open();
        String list = browser.text();
        browser.open("/request?id=" + id);
        browser.screenshot(PICTURES.resolve(picture + ".png"));
        String page = browser.text();
        browser.click("#refuse");
        return (list + "\n" + page).replaceAll("\\s+", " ");
    }
}
