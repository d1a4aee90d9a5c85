package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.typed.TypedData;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.page.TypedMessages.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** Typed messages on the pages: what each of them says, and which danger it names. */
class TypedMessagesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    private PageFixture pages;
    private SignedInClient client;

    @BeforeEach
    void open() {
        pages = new PageFixture(folder);
        client = SignedInClient.of(pages.page);
    }

    @AfterEach
    void close() {
        pages.close();
    }

    private static List<Row> messages() {
        return TypedMessages.all();
    }

    private String ask(Row row) {
        return TypedMessages.ask(pages, row);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyMessageSaysWhatItAllowsAndWhatCanGoWrong(Row row) {
        if (row.isSignable()) {
            assertThat(TypedData.of(JSON.readTree(row.json())).messageHash(ACCOUNT))
                    .isNotNull();
        }
        String id = ask(row);
        String list = client.read("", Map.of());
        String page = client.read("request", Map.of("id", id));

        row.sentences().forEach(sentence -> assertThat(list + page).contains(sentence));
        row.dangers().forEach(danger -> {
            assertThat(list).contains(danger);
            assertThat(page).contains(danger);
        });
        assertThat(list + page).doesNotContain("<script");
        if (row.dangers().isEmpty()) {
            assertThat(list + page).doesNotContain("can move funds", "danger");
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aDecidedMessageKeepsItsContent(Row row) {
        String id = ask(row);
        client.decide(id, "approve");
        String result = client.read("request", Map.of("id", id));
        String raw = PageClient.text(client.get("request", Map.of("id", id)));

        assertThat(result).contains("Approved: signMessage", "Content ", "The message");
        assertThat(raw).contains("id=\"typed-data\"").doesNotContain("<script");
        pages.approvals.ask(ApprovalFixture.message("demo", row.json()));
        String waiting = PageClient.text(
                client.get("request", Map.of("id", pages.approvals.only().id())));
        assertThat(details(raw)).isEqualTo(details(waiting));
    }

    private static String details(String page) {
        return page.substring(page.indexOf("<div id=\"message\""), page.indexOf("</details>"));
    }

    @Test
    void theTableIsLongEnough() {
        assertThat(messages()).hasSizeGreaterThan(40).extracting(Row::name).doesNotHaveDuplicates();
    }

    @Test
    void theHistoryHasOneLineAboutAMessageAndItsCalls() {
        String id = ask(messages().get(0));
        client.decide(id, "refuse");
        assertThat(client.read("history", Map.of()))
                .contains("OutsideExecution of Account.execute_from_outside, version 1, chain SN_SEPOLIA; transfer 1.5"
                        + " STRK to 0x0000000000000000000000000000000000000000000000000000000000000007")
                .doesNotContain("calls_len");
    }
}
