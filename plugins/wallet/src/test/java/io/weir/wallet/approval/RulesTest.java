package io.weir.wallet.approval;

import static io.weir.wallet.approval.ApprovalFixture.ACCOUNT;
import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static io.weir.wallet.approval.ApprovalFixture.call;
import static io.weir.wallet.approval.ApprovalFixture.transaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalQueue.Step;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.testing.StoredSums;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that are lists of rules, and requests that two persons approve. */
final class RulesTest {

    private static final String OPEN = "contracts = [\"*\"], functions = [\"*\"], max-fee = 1, max-fee-per-day = 1";
    private static final String THREE = """
        approval.tenants.robot.rules = [
          { approvals = 0, contracts = ["0x70ce"], functions = [transfer]
            max-fee-fri = 100, max-fee-per-day-fri = 150
            amounts { "0x70ce" { decimals = 2, per-call = "10.5", per-day = "20" } } }
          { name = larger, approvals = 1, contracts = ["0x70ce"], amounts { "0x70ce" { decimals = 2, per-call = 50 } } }
          { approvals = 2 }
        ]
        """;

    @TempDir
    private Path folder;

    private static RequestedCall pay(long amount) {
        return new RequestedCall(TOKEN, "transfer", List.of(Felt.of(7), Felt.of(amount), Felt.ZERO), List.of());
    }

    /** The number of persons whom a request waits for; 0 if it is approved. */
    private int needed(ApprovalFixture fixture, Content request) {
        if (fixture.ask(request).isDone()) {
            return 0;
        }
        Request parked = fixture.only();
        fixture.queue().claim(parked.id(), "alice").refuse();
        return parked.votes().needed();
    }

    private static String reason(ApprovalFixture fixture, Content request) {
        fixture.ask(request);
        Request parked = fixture.only();
        fixture.queue().claim(parked.id(), "alice").refuse();
        return parked.reason();
    }

    @Test
    void aPersonIsToldWhyTheRulesDoNotApprove() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            assertThat(reason(fixture, transaction("robot", 10, pay(1051))))
                    .isEqualTo("rule 1 does not cover call 1, transfer; rule larger asks a person");
            assertThat(reason(fixture, transaction("robot", 101, pay(1))))
                    .isEqualTo("rule 1 does not cover a fee as high as this; rule larger asks a person");
            assertThat(reason(fixture, transaction("robot", 10, pay(800), pay(800))))
                    .isEqualTo("rule 1 does not cover an amount as high as this; rule larger asks a person");
            assertThat(reason(fixture, ApprovalFixture.message("robot", "{}")))
                    .isEqualTo(
                            "rule 1 does not cover messages; rule larger does not cover messages; rule 3 asks a person");
            assertThat(fixture.ask(transaction("robot", 90, pay(1)))).isCompletedWithValue(Decision.APPROVED);
            assertThat(reason(fixture, transaction("robot", 90, pay(1))))
                    .isEqualTo("rule 1: the sum of the day is reached; rule larger asks a person");
            assertThat(reason(fixture, transaction("other", 10, pay(1)))).isEqualTo("the policy asks a person");
        }
    }

    @Test
    void theFirstRuleThatMatchesTheWholeRequestDecides() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            assertThat(needed(fixture, transaction("robot", 10, pay(1050)))).isZero();
            assertThat(needed(fixture, transaction("robot", 10, pay(1051)))).isEqualTo(1);
            assertThat(needed(fixture, transaction("robot", 10, pay(5001)))).isEqualTo(2);
            assertThat(needed(fixture, transaction("robot", 101, pay(1))))
                    .as("too dear for the first")
                    .isEqualTo(1);
            assertThat(needed(fixture, transaction("robot", 10, pay(1), pay(1060))))
                    .as("one call of two is too large")
                    .isEqualTo(1);
            assertThat(needed(fixture, transaction("robot", 10, pay(1), call(Felt.ONE, "any"))))
                    .as("one call of two is elsewhere")
                    .isEqualTo(2);
            assertThat(needed(fixture, transaction("robot", 10, call(ACCOUNT, "upgrade"))))
                    .as("a rule without contracts covers the account itself")
                    .isEqualTo(2);
            assertThat(needed(fixture, ApprovalFixture.message("robot", "{}"))).isEqualTo(2);
            assertThat(needed(fixture, transaction("other", 10, pay(1)))).isEqualTo(1);
        }
    }

    private static RequestedCall ofToken(String function, Felt... calldata) {
        return new RequestedCall(TOKEN, function, List.of(calldata), List.of());
    }

    @Test
    void aBoundOfATokenLetsOnlyTransfersOfAnAmountPass() {
        String rules = """
            approval.tenants.robot.rules = [
              { approvals = 0, contracts = ["*"], functions = ["*"], max-fee-fri = 10, max-fee-per-day-fri = 100
                amounts { "0x70ce" { per-call = 25, per-day = 25 } } }
              { approvals = 1 }
            ]
            """;
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, rules)) {
            assertThat(needed(fixture, transaction("robot", 1, ofToken("approve", Felt.of(7), Felt.ONE, Felt.ZERO))))
                    .as("an allowance of which more may be taken later")
                    .isEqualTo(1);
            assertThat(needed(fixture, transaction("robot", 1, ofToken("transfer", Felt.of(7), Felt.ONE))))
                    .isEqualTo(1);
            assertThat(needed(
                            fixture,
                            transaction("robot", 1, ofToken("transfer", Felt.of(7), Felt.ONE, Felt.ZERO, Felt.ZERO))))
                    .isEqualTo(1);
            assertThat(needed(fixture, transaction("robot", 1, pay(25)))).isZero();
            assertThat(needed(fixture, transaction("robot", 1, pay(1)))).isEqualTo(1);
        }
    }

    @Test
    void aRuleWhoseDayIsUsedUpMatchesNoMoreAlsoAfterARestart() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            assertThat(needed(fixture, transaction("robot", 10, pay(1000)))).isZero();
        }
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            assertThat(needed(fixture, transaction("robot", 10, pay(600), pay(401))))
                    .as("20.01 of the token in a day")
                    .isEqualTo(1);
            assertThat(needed(fixture, transaction("robot", 10, pay(1000)))).isZero();
            assertThat(needed(fixture, transaction("robot", 10, pay(1)))).isEqualTo(1);
        }
    }

    @Test
    void eachRuleHasSumsOfItsOwn() throws SQLException {
        String two =
                "approval.tenants.robot.rules = [ { approvals = 0, %s, networks = [l2test] }, { approvals = 0, %s } ]"
                        .formatted(OPEN.replace("= 1", "= \"0.000000000000000010\""), OPEN);
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, two)) {
            assertThat(needed(fixture, transaction("robot", 10, pay(1)))).isZero();
            assertThat(needed(fixture, transaction("robot", 10, pay(1))))
                    .as("by the second rule")
                    .isZero();
        }
        assertThat(StoredSums.of(folder))
                .containsExactly(entry("rule 1 of robot", BigInteger.TEN), entry("rule 2 of robot", BigInteger.TEN));
    }

    @Test
    void whatNoRuleMatchesGoesToOnePerson() {
        String rule = "approval.tenants.robot.rules = [ { approvals = 2, contracts = [\"0x70ce\"] } ]";
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, rule)) {
            assertThat(needed(fixture, transaction("robot", 1, pay(1)))).isEqualTo(2);
            assertThat(needed(fixture, transaction("robot", 1, call(Felt.ONE, "any"))))
                    .isEqualTo(1);
            assertThat(needed(fixture, ApprovalFixture.message("robot", "{}"))).isEqualTo(1);
        }
    }

    @Test
    void twoPersonsMustBeDifferentAndTheLogHasBoth() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        try (AuditLog audit = AuditLog.of(file, Runnable::run, Clock.systemUTC());
                ApprovalFixture fixture = ApprovalFixture.logging(folder, THREE, audit)) {
            CompletableFuture<Decision> asked = fixture.ask(transaction("robot", 1, pay(9_999)));
            String id = fixture.only().id();
            assertThat(fixture.queue().approve(id, "alice")).isEqualTo(Step.NOTED);
            assertThat(fixture.only().votes().shown()).isEqualTo("1 of 2, alice");
            assertThat(fixture.queue().approve(id, "alice")).isEqualTo(Step.REPEATED);
            assertThat(asked).isNotDone();
            assertThat(fixture.queue().approve(id, "bob")).isEqualTo(Step.LAST);
            fixture.queue().claim(id, "bob").approve();
            assertThat(asked.join()).isEqualTo(Decision.APPROVED);
            assertThat(fixture.queue().approve(id, "carol")).isEqualTo(Step.GONE);
        }
        assertThat(Files.readAllLines(file))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "\"event\":\"approval\"",
                                        "\"approver\":\"alice\"",
                                        "\"approvals\":1,\"needed\":2"),
                        line -> assertThat(line).contains("\"event\":\"decision\"", "\"approver\":\"bob\""));
    }

    @Test
    void thePersonWhoHasApprovedIsNotTheSecondOne() {
        Votes votes = Votes.of(2).with("alice");
        assertThat(votes.isLast("alice")).isFalse();
        assertThat(votes.isLast("bob")).isTrue();
    }

    @Test
    void oneRefusalEndsARequestThatTwoMustApprove() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            CompletableFuture<Decision> asked = fixture.ask(transaction("robot", 1, pay(9_999)));
            String id = fixture.only().id();
            fixture.queue().approve(id, "alice");
            fixture.queue().claim(id, "bob").refuse();
            assertThat(asked.join()).isEqualTo(Decision.REFUSED);
        }
    }

    @Test
    void onePersonAloneCannotEndWhatTwoMustApprove() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            CompletableFuture<Decision> asked = fixture.ask(transaction("robot", 1, pay(9_999)));
            ApprovalQueue.Claim claim = fixture.queue().claim(fixture.only().id(), "alice");
            assertThatThrownBy(claim::approve).isInstanceOf(IllegalStateException.class);
            assertThat(asked).isCompletedExceptionally();
        }
    }

    @Test
    void anApprovalThatCannotBeNotedDoesNotCount() {
        AuditLog closed = AuditLog.of(folder.resolve("audit.jsonl"), Runnable::run, Clock.systemUTC());
        closed.close();
        try (ApprovalFixture fixture = ApprovalFixture.logging(folder, THREE, closed)) {
            fixture.ask(transaction("robot", 1, pay(9_999)));
            String id = fixture.only().id();
            assertThatThrownBy(() -> fixture.queue().approve(id, "alice")).isInstanceOf(RpcException.class);
            assertThat(fixture.only().votes().approvers()).isEmpty();
        }
    }

    @Test
    void aKeyIsShownOnlyAfterAsManyApprovalsAsTheStrictestRuleNeeds() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, THREE)) {
            fixture.reveal(ApprovalFixture.key("robot"), () -> new byte[32]);
            assertThat(fixture.only().votes().needed()).isEqualTo(2);
        }
    }

    @Test
    void aRuleThatNeedsMorePersonsThanThereAreIsAProblem() {
        assertThat(ApprovalFixture.settings(THREE).mismatches(Set.of("robot"), Set.of()))
                .containsExactly("approval.tenants.\"robot\".rules: one needs 2 persons, and 1 can approve"
                        + " (expected: more approvers)");
        List<String> problems = new ArrayList<>();
        assertThat(ApprovalFixture.read("approval.tenants.robot.rules = [{ approvals = 1 }]", problems)
                        .mismatches(Set.of("robot"), Set.of()))
                .containsExactly("approval.tenants.\"robot\".rules: one needs 1 persons, and 0 can approve"
                        + " (expected: more approvers)");
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rules = 1 | rules: (hidden) (expected: a list [ … ])",
                "rules = [] | rules: a list (expected: a list of 1 to 100 blocks [ { … }, { … } ])",
                "rules = [{ approvals = 1 }, 2] | rules.1: (hidden) (expected: a block { … })",
                "policy = deny, rules = [{ approvals = 1 }] | rules: a list (expected: nothing: rules go with policy ="
                        + " allow)",
                "functions = [], rules = [{ approvals = 1 }] | functions: a list (expected: nothing: it goes inside the"
                        + " rules)",
                "rules = [{}] | rules.0.approvals: missing (expected: a whole number from 0 to 2)",
                "rules = [{ approvals = 1 }, { approvals = 3 }] | rules.1.approvals: 3 (expected: a whole number from"
                        + " 0 to 2)",
                "rules = [{ approvals = 1, name = a }, { approvals = 1, name = a }] | rules: a list (expected: another"
                        + " name for each rule: a is there twice)",
                "rules = [{ approvals = 1, fee = 1 }] | rules.0.fee: unknown setting (expected: a known setting)",
                "rules = [{ approvals = 1, max-fee = 1, max-fee-fri = 1 }] | rules.0.max-fee: 1 (expected: nothing"
                        + " beside max-fee-fri)",
                "rules = [{ approvals = 1, max-fee = \"0.0000000000000000001\" }] | rules.0.max-fee:"
                        + " \"0.0000000000000000001\" (expected: a number with up to 18 decimal places, in quotes, at"
                        + " most 40 digits)",
                "rules = [{ approvals = 1, amounts { \"0x1\" { per-call = \"0.5\" } } }] |"
                        + " rules.0.amounts.0x1.per-call: \"0.5\" (expected: a number with up to 0 decimal places)",
                "rules = [{ approvals = 0, contracts = [], functions = [], max-fee = 1 }] |"
                        + " rules.0.max-fee-per-day-fri: missing (expected: a whole number of the token's smallest unit,"
                        + " in quotes, at most 40 digits; or max-fee-per-day)",
            })
    void aRuleThatCannotBeMeantIsAProblem(String tenant, String problem) {
        List<String> problems = new ArrayList<>();
        ApprovalFixture.read("approval.tenants.robot { " + tenant + " }", problems);
        assertThat(problems).containsExactly("approval.tenants.robot." + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00", "+0", "-0", "0000000000"})
    void aRuleThatApprovesByItselfLeavesNothingOpenHoweverItsNumberIsWritten(String none) {
        List<String> problems = new ArrayList<>();
        ApprovalFixture.read("approval.tenants.robot.rules = [{ approvals = \"" + none + "\" }]", problems);
        assertThat(problems)
                .extracting(problem -> problem.replaceFirst(": .*", ""))
                .containsExactly(
                        "approval.tenants.robot.rules.0.contracts",
                        "approval.tenants.robot.rules.0.functions",
                        "approval.tenants.robot.rules.0.max-fee-fri",
                        "approval.tenants.robot.rules.0.max-fee-per-day-fri");
    }

    @Test
    void anUnknownNetworkIsNamedWithTheRuleThatHasIt() {
        ApprovalSettings settings = ApprovalFixture.settings(
                "approval.tenants.robot.rules = [{ approvals = 1 }, { approvals = 1," + " networks = [sepolai] }]");
        assertThat(settings.mismatches(Set.of("robot"), Set.of("sepolia")))
                .containsExactly(
                        "approval.tenants.\"robot\".rules.1.networks: sepolai (expected: the name of one of the"
                                + " wallet's networks; did you mean sepolia?)");
    }
}
