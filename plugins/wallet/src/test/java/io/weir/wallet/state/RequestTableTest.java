package io.weir.wallet.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestTableTest {
    private static final Instant NOW = Instant.parse("2026-01-10T00:00:00Z");

    @TempDir
    private Path folder;

    private WalletDatabase database;
    private RequestTable requests;

    @BeforeEach
    void open() {
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        requests = new RequestTable(database, () -> NOW, 2, 3);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static StoredRequest request(String approval, @Nullable String id) {
        return new StoredRequest(approval, "demo", id, "sendTransaction", Felt.ONE, "print", NOW);
    }

    private static StoredDecision decision(boolean approved, @Nullable String by, long second) {
        return new StoredDecision(
                approved, by, NOW.plusSeconds(second), "sepolia", Felt.of(7), "pay", "", BigInteger.TEN, "same");
    }

    @Test
    void anIdNamesItsNewestRequestAndTheOlderOneKeepsItsDecision() {
        requests.begin(request("first", "order-1"));
        requests.decide(request("first", "order-1"), decision(false, "alice", 0));
        requests.begin(request("second", "order-1"));
        assertThat(requests.find("demo", "order-1").orElseThrow().approval()).isEqualTo("second");
        assertThat(requests.decided("first").orElseThrow().state()).isEqualTo(RequestState.REFUSED);
        assertThat(requests.find("other", "order-1")).isEmpty();
    }

    @Test
    void aDecisionIsStoredWithARequestThatHasNoId() {
        requests.decide(request("one", null), decision(true, "alice", 0));
        StoredRequest stored = requests.decided("one").orElseThrow();
        assertThat(stored.state()).isEqualTo(RequestState.APPROVED);
        assertThat(stored.decision()).isEqualTo(decision(true, "alice", 0));
        requests.move("one", RequestState.SUBMITTED, "{}", 0, "");
        assertThat(requests.decided("one").orElseThrow().state()).isEqualTo(RequestState.SUBMITTED);
    }

    @Test
    void whatAPolicyDecidedIsNoDecisionOfAPersonButTellsOfEqualRequests() {
        requests.decide(request("one", null), decision(true, null, 0));
        assertThat(requests.decided("one")).isEmpty();
        assertThat(requests.decisions(null, 10)).isEmpty();
        assertThat(requests.approvedSince(NOW, "same")).contains(NOW);
        assertThat(requests.approvedSince(NOW.plusSeconds(1), "same")).isEmpty();
        assertThat(requests.approvedSince(NOW, "other")).isEmpty();
    }

    @Test
    void aRefusalIsNoApprovalOfAnEqualRequest() {
        requests.decide(request("one", null), decision(false, "alice", 0));
        assertThat(requests.approvedSince(NOW, "same")).isEmpty();
    }

    @Test
    void theNewestDecisionsStay() {
        for (int second = 0; second < 4; second++) {
            requests.decide(request("of " + second, null), decision(false, "alice", second));
        }
        assertThat(requests.decisions(null, 10))
                .extracting(StoredRequest::approval)
                .containsExactly("of 3", "of 2");
        assertThat(requests.decisions("of 3", 10))
                .extracting(StoredRequest::approval)
                .containsExactly("of 2");
    }

    @Test
    void theOldestRequestsWithAnIdAreForgottenButNotBecauseOfThoseWithoutOne() {
        requests.begin(request("waits", "a"));
        for (int number = 1; number < 6; number++) {
            requests.begin(request("named " + number, "id " + number));
            requests.move("named " + number, RequestState.SUBMITTED, "{}", 0, "");
            requests.decide(request("unnamed " + number, null), decision(true, null, number));
            requests.move("unnamed " + number, RequestState.SUBMITTED, "{}", 0, "");
        }
        assertThat(database.list(
                        String.class, "SELECT approval FROM request WHERE request_id IS NOT NULL ORDER BY number"))
                .as("what waits is not forgotten")
                .containsExactly("waits", "named 3", "named 4", "named 5");
        assertThat(requests.approvedSince(NOW, "same")).isPresent();
    }

    @Test
    void whatAPersonRefusedStaysRefusedWhateverComesAfterwards() {
        requests.begin(request("one", "a"));
        requests.decide(request("one", "a"), decision(false, "alice", 0));
        requests.move("one", RequestState.WITHDRAWN, "", -32000, "withdrawn");
        StoredRequest stored = requests.find("demo", "a").orElseThrow();
        assertThat(stored.state()).isEqualTo(RequestState.REFUSED);
        assertThat(stored.errorCode())
                .as("also if the process ends right after the decision")
                .isEqualTo(4001);
    }

    @Test
    void aDecisionComesTooLateForARequestThatHasEnded() {
        requests.begin(request("one", "a"));
        requests.move("one", RequestState.FAILED, "", -32603, "internal error");
        requests.decide(request("one", "a"), decision(true, "alice", 0));
        assertThat(requests.find("demo", "a").orElseThrow().state()).isEqualTo(RequestState.FAILED);
    }

    @Test
    void aChainThatBeganAnewTakesIdsButNoDecisions() {
        requests.begin(request("named", "a"));
        requests.decide(request("named", "a"), decision(false, "alice", 0));
        requests.begin(request("done", "b"));
        requests.move("done", RequestState.SUBMITTED, "{}", 0, "");
        ChainTable chains = new ChainTable(database, () -> NOW);
        chains.archive(Felt.ONE, chains.mark(Felt.ONE), List.of());
        assertThat(requests.find("demo", "a")).isEmpty();
        assertThat(requests.find("demo", "b")).isEmpty();
        assertThat(requests.decisions(null, 10))
                .extracting(StoredRequest::approval)
                .containsExactly("named");
    }

    @Test
    void whatAnEarlierProcessLeftOpenEnds() {
        requests.begin(request("waits", "a"));
        requests.decide(request("approved", "b"), decision(true, "alice", 0));
        requests.endOpen();
        assertThat(requests.find("demo", "a").orElseThrow().state()).isEqualTo(RequestState.WITHDRAWN);
        assertThat(requests.find("demo", "b").orElseThrow().state()).isEqualTo(RequestState.FAILED);
    }
}
