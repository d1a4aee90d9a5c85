package io.weir.wallet.approval;

import static io.weir.wallet.approval.ApprovalFixture.ACCOUNT;
import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static io.weir.wallet.approval.ApprovalFixture.call;
import static io.weir.wallet.approval.ApprovalFixture.transaction;
import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicyTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir
    private Path folder;

    private static String robot(String rules) {
        return "approval.tenants.robot { policy = allow, max-fee-fri = \"100\", max-fee-per-day-fri = \"250\", " + rules
                + " }";
    }

    private static final String NARROW = robot("contracts = [\"0x70ce\"], functions = [transfer]");
    private static final String WIDE = robot("contracts = [\"*\"], functions = [\"*\"]");

    private boolean allowed(String settings, Content request) {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, settings)) {
            boolean done = fixture.ask(request).isDone();
            assertThat(fixture.queue().parked())
                    .as("what is not allowed is asked")
                    .hasSize(done ? 0 : 1);
            return done;
        }
    }

    private static Clock at(Instant instant) {
        return Clock.fixed(instant, ZoneOffset.UTC);
    }

    @Test
    void whatIsWithinTheRulesIsApprovedAtOnce() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, NARROW)) {
            assertThat(fixture.ask(transfer("robot", 100)).join()).isEqualTo(Decision.APPROVED);
            assertThat(fixture.count("approvals_allowed")).isEqualTo(1);
        }
    }

    @Test
    void whatIsSignedWithoutThePolicyCountsInItsDay() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, NARROW)) {
            assertThat(fixture.ask(transfer("robot", 100)).join()).isEqualTo(Decision.APPROVED);
            fixture.queue().charge(transfer("robot", 200));
            assertThat(fixture.ask(transfer("robot", 1)).isDone()).isFalse();
            fixture.queue().charge(transfer("demo", 5));
        }
        try (ApprovalFixture again = ApprovalFixture.of(folder, NARROW)) {
            assertThat(again.ask(transfer("robot", 1)).isDone())
                    .as("on the disk")
                    .isFalse();
        }
    }

    @Test
    void aTokenMayBeWrittenWithItsLeadingZeros() {
        String padded = TOKEN.toPaddedHex();
        String rules = robot("contracts = [\"*\"], functions = [\"*\"], amounts { \"" + padded
                + "\" { per-call = \"10\", per-day = \"10\" } }");
        assertThat(allowed(rules, payment("robot", 5, 10))).isTrue();
        assertThat(allowed(rules, payment("robot", 5, 11))).isFalse();
    }

    @Test
    void twoRulesForOneTokenAreAMistake() {
        List<String> problems = new ArrayList<>();
        String rule = "{ per-call = \"10\", per-day = \"10\" }";
        ApprovalFixture.read(
                robot("contracts = [\"*\"], functions = [\"*\"], amounts { \"0x70ce\" " + rule + ", \"0x070ce\" " + rule
                        + " }"),
                problems);
        assertThat(problems).singleElement().asString().contains("one entry for each token");
    }

    private static Content payment(String tenant, long to, long amount) {
        return transaction(
                tenant,
                1,
                new Content.RequestedCall(
                        TOKEN, "transfer", List.of(Felt.of(to), Felt.of(amount), Felt.ZERO), List.of()));
    }

    @Test
    void amountsOfATokenHaveBoundsOfACallAndOfADayAndRecipients() {
        String rules = robot("contracts = [\"*\"], functions = [\"*\"], networks = [l2test],"
                + " amounts { \"0x70ce\" { per-call = 10, per-day = 25, recipients = [\"0x7\"] } }");
        assertThat(allowed(rules, payment("robot", 7, 11)))
                .as("too much at once")
                .isFalse();
        assertThat(allowed(rules, payment("robot", 8, 1)))
                .as("another recipient")
                .isFalse();
        assertThat(allowed(rules, transaction("robot", 1, call(TOKEN, "approve"))))
                .as("another function of the token")
                .isFalse();
        assertThat(allowed(rules.replace("l2test", "other"), payment("robot", 7, 1)))
                .as("another network")
                .isFalse();
        assertThat(allowed(rules, payment("robot", 7, 10))).isTrue();
        assertThat(allowed(rules, payment("robot", 7, 10)))
                .as("after a restart")
                .isTrue();
        assertThat(allowed(rules, payment("robot", 7, 6))).as("26 in a day").isFalse();
        assertThat(allowed(rules, payment("robot", 7, 5))).isTrue();
    }

    private static Content payments(long... amounts) {
        return transaction(
                "robot",
                1,
                LongStream.of(amounts)
                        .mapToObj(amount -> payment("robot", 7, amount).calls().get(0))
                        .toArray(Content.RequestedCall[]::new));
    }

    @Test
    void theBoundsOfATokenHoldForAllCallsOfARequestTogether() {
        String rules = robot("contracts = [\"*\"], functions = [\"*\"],"
                + " amounts { \"0x70ce\" { per-call = 10, per-day = 25, recipients = [\"0x7\"] } }");
        assertThat(allowed(rules, payments(10, 10))).as("twice the bound").isFalse();
        assertThat(allowed(rules, payments(10, 1))).as("a bit more").isFalse();
        assertThat(allowed(rules, payments(4, 6))).as("10 in a day").isTrue();
        assertThat(allowed(rules, payments(5, 5))).as("20 in a day").isTrue();
        assertThat(allowed(rules, payments(3, 3))).as("26 in a day").isFalse();
        assertThat(allowed(rules, payments(3, 2))).as("25 in a day").isTrue();
        Content.RequestedCall other = call(Felt.ONE, "transfer");
        Content.RequestedCall stranger = payment("robot", 8, 0).calls().get(0);
        assertThat(allowed(rules, transaction("robot", 1, other, stranger)))
                .as("one recipient of two")
                .isFalse();
    }

    @Test
    void everythingElseIsAsked() {
        assertThat(allowed(NARROW, transfer("robot", 101))).as("too dear").isFalse();
        assertThat(allowed(NARROW, transaction("robot", 1, call(TOKEN, "approve"))))
                .as("function")
                .isFalse();
        assertThat(allowed(NARROW, transaction("robot", 1, call(Felt.ONE, "transfer"))))
                .as("contract")
                .isFalse();
        assertThat(allowed(NARROW, transaction("robot", 1, call(TOKEN, "transfer"), call(Felt.ONE, "transfer"))))
                .as("one call of two")
                .isFalse();
        assertThat(allowed(NARROW, transaction("robot", 1))).as("no call").isFalse();
        assertThat(allowed(NARROW, transaction("robot", -1, call(TOKEN, "transfer"))))
                .as("a negative fee")
                .isFalse();
        assertThat(allowed(NARROW, transfer("somebody", 1)))
                .as("another tenant")
                .isFalse();
    }

    @Test
    void allContractsAreAllButTheAccountItself() {
        assertThat(allowed(WIDE, transaction("robot", 1, call(Felt.ONE, "anything"))))
                .isTrue();
        assertThat(allowed(WIDE, transaction("robot", 1, call(ACCOUNT, "set_owner"))))
                .isFalse();
        String named = robot("contracts = [\"0x0acc\"], functions = [upgrade]");
        assertThat(allowed(named, transaction("robot", 1, call(ACCOUNT, "upgrade"))))
                .isTrue();
    }

    @Test
    void anAccountsOwnDeploymentNeedsTheFunctionAndNoContract() {
        String deploying = robot("contracts = [], functions = [constructor]");
        assertThat(allowed(deploying, transaction("robot", 1, call(ACCOUNT, "constructor"))))
                .isTrue();
        assertThat(allowed(deploying, transaction("robot", 1, call(TOKEN, "constructor"))))
                .isFalse();
        assertThat(allowed(NARROW, transaction("robot", 1, call(ACCOUNT, "constructor"))))
                .isFalse();
    }

    @Test
    void messagesAreSignedOnlyWhereTheRulesSayMessages() {
        Content message = ApprovalFixture.message("robot", "{\"primaryType\":\"Mail\"}");
        assertThat(allowed(WIDE, message)).isFalse();
        assertThat(allowed(robot("contracts = [], functions = [], messages = true"), message))
                .isTrue();
    }

    @Test
    void theCallsThatAMessageAllowsChangeNothingForTheRules() {
        Content message = ApprovalFixture.message("robot", "{}", call(ACCOUNT, "upgrade"));
        assertThat(allowed(WIDE, message)).isFalse();
        assertThat(allowed(robot("contracts = [], functions = [], messages = true"), message))
                .isTrue();
    }

    @Test
    void noPolicyShowsAKey() {
        try (ApprovalFixture fixture =
                ApprovalFixture.of(folder, robot("contracts = [\"*\"], functions = [\"*\"], messages = true"))) {
            assertThat(fixture.reveal(ApprovalFixture.key("robot"), () -> new byte[32])
                            .isDone())
                    .isFalse();
            assertThat(fixture.only().isForKey()).isTrue();
        }
    }

    @Test
    void aDeniedTenantIsRefusedAtOnce() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "approval.tenants.\"a b.c\" { policy = deny }")) {
            assertThat(fixture.ask(transfer("a b.c", 1)).join()).isEqualTo(Decision.FORBIDDEN);
            assertThat(fixture.reveal(ApprovalFixture.key("a b.c"), () -> new byte[32])
                            .join())
                    .isEqualTo(Decision.FORBIDDEN);
            assertThat(fixture.queue().parked()).isEmpty();
            assertThat(fixture.count("approvals_denied")).isEqualTo(2);
        }
        try (ApprovalFixture fixture =
                ApprovalFixture.of(folder, "approval.policy = deny, approval.tenants.known.policy = ask")) {
            assertThat(fixture.ask(transfer("unnamed", 1)).join()).isEqualTo(Decision.FORBIDDEN);
            assertThat(fixture.ask(transfer("known", 1)).isDone()).isFalse();
        }
    }

    @Test
    void noTwoApproversHaveOneCredentialOrOneName() {
        String hash = ApprovalFixture.credentialSha256();
        List<String> problems = new ArrayList<>();
        ApprovalFixture.read(
                "approver-sha256 = %s, approvers { approver.sha256 = %s, bob.sha256 = %s }"
                        .formatted(hash, ApprovalFixture.sha256("other"), hash),
                problems);
        assertThat(problems)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("approvers.approver: approver (expected: another name"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "approvers.bob.sha256: (hidden) (expected: a credential that no other approver has)"));
    }

    @Test
    void aDaysFeesAreCountedTogetherAlsoThroughARestart() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, at(NOON), NARROW)) {
            assertThat(fixture.ask(transfer("robot", 100)).isDone()).isTrue();
            assertThat(fixture.ask(transfer("robot", 100)).isDone()).isTrue();
            assertThat(fixture.ask(transfer("robot", 51)).isDone())
                    .as("251 of 250")
                    .isFalse();
        }
        try (ApprovalFixture restarted = ApprovalFixture.of(folder, at(NOON.plusSeconds(60)), NARROW)) {
            assertThat(restarted.ask(transfer("robot", 51)).isDone()).isFalse();
            assertThat(restarted.ask(transfer("robot", 50)).isDone()).isTrue();
            assertThat(restarted.ask(transfer("robot", 1)).isDone()).isFalse();
        }
    }

    @Test
    void everyTenantHasADayOfItsOwn() {
        String two = NARROW + "\n" + NARROW.replace("robot", "other");
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, at(NOON), two)) {
            for (int i = 0; i < 2; i++) {
                assertThat(fixture.ask(transfer("robot", 100)).isDone()).isTrue();
                assertThat(fixture.ask(transfer("other", 100)).isDone()).isTrue();
            }
            assertThat(fixture.ask(transfer("robot", 100)).isDone()).isFalse();
        }
    }

    @Test
    void aNewDayBeginsAtMidnightAndAClockThatIsSetBackBeginsNone() {
        assertThat(spend(NOON, 100)).isTrue();
        assertThat(spend(NOON, 100)).isTrue();
        assertThat(spend(NOON.minus(Duration.ofDays(1)), 100)).isFalse();
        assertThat(spend(NOON.plus(Duration.ofHours(11)), 100)).isFalse();
        assertThat(spend(NOON.plus(Duration.ofHours(12)), 100)).isTrue();
        assertThat(spend(NOON, 100)).as("set back to the day before").isTrue();
        assertThat(spend(NOON, 100)).isFalse();
    }

    private boolean spend(Instant when, long fee) {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, at(when), NARROW)) {
            return fixture.ask(transfer("robot", fee)).isDone();
        }
    }

    @Test
    void whereTheDaysSumIsNotToBeHadAPersonIsAsked() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, at(NOON), NARROW)) {
            fixture.database().close();
            assertThat(fixture.ask(transfer("robot", 1)).isDone()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "robo.policy = deny | approval.tenants.\"robo\": no such caller (expected: the name of an API key; did"
                        + " you mean robot?)",
                "other.policy = deny | approval.tenants.\"other\": no such caller (expected: the name of an API key)",
                "robot.policy = ask | approval.tenants.\"robot\".policy: ask, and nobody can approve (expected:"
                        + " approver-sha256, or approvers)",
                "robot { policy = allow, contracts = [], functions = [], max-fee-fri = 1, max-fee-per-day-fri = 1,"
                        + " networks = [l2test, l2tets] } | approval.tenants.\"robot\".networks: l2tets (expected: the"
                        + " name of one of the wallet's networks; did you mean l2test?)",
            })
    void aNameThatNothingHasIsAProblem(String tenant, String problem) {
        List<String> problems = new ArrayList<>();
        ApprovalSettings settings = ApprovalFixture.read("approval.tenants." + tenant, problems);
        assertThat(problems).isEmpty();
        assertThat(settings.mismatches(Set.of("robot", "shop"), Set.of("l2test")))
                .containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "approver-sha256 = 12ab | approver-sha256: (hidden) (expected: 64 hex digits)",
                "approvers.bob = 1 | approvers.bob: (hidden) (expected: a block { … })",
                "approvers.bob { sha256 = 2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea, sha265 ="
                        + " 12 } | approvers.bob.sha265: unknown setting (expected: a known setting; did you mean"
                        + " plugins.plugin.approvers.bob.sha256?)",
                "approvers.bob {} | approvers.bob.sha256: missing (expected: 64 hex digits)",
                "approvers.\"<b>\".sha256 = 2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea |"
                        + " approvers.\"<b>\": <b> (expected: a name of up to 64 letters, digits or . _ @ -)",
                "approval.timeout = 0 s | approval.timeout: 0 s (expected: a duration with a unit, such as 250 ms or 10"
                        + " s, from 1 s to 1 h)",
                "approval.session = 2 days | approval.session: 2 days (expected: a duration with a unit, such as 250 ms"
                        + " or 10 s, from 1 s to 24 h)",
                "approval.policy = allow | approval.policy: allow (expected: one of ask, deny)",
                "approval.tenants.robot = ask | approval.tenants.robot: (hidden) (expected: a block { … })",
                "approval.tenants.robot {} | approval.tenants.robot.policy: missing (expected: one of ask, allow,"
                        + " deny)",
                "approval.tenants.robot { policy = ask, functions = [] } | approval.tenants.robot.functions: a list"
                        + " (expected: nothing: it goes with policy = allow)",
                "approval.tenants.robot { policy = deny, polcy = 1 } | approval.tenants.robot.polcy: unknown setting"
                        + " (expected: a known setting; did you mean plugins.plugin.approval.tenants.robot.policy?)",
                "approval.tenants.robot { policy = allow, contracts = [], functions = [], max-fee-fri = 1 } |"
                        + " approval.tenants.robot.max-fee-per-day-fri: missing (expected: a whole number of the"
                        + " token's smallest unit, in quotes, at most 40 digits; or max-fee-per-day)",
                "approval.tenants.robot { policy = allow, contracts = [], functions = [], max-fee-fri = 1e18,"
                        + " max-fee-per-day-fri = 1 } | approval.tenants.robot.max-fee-fri: 1e18 (expected: a whole"
                        + " number of the token's smallest unit, in quotes, at most 40 digits)",
                "approval.tenants.robot { policy = allow, contracts = [token], functions = [], max-fee-fri = 1,"
                        + " max-fee-per-day-fri = 1 } | approval.tenants.robot.contracts.0: token (expected: 0x and the"
                        + " hexadecimal digits of an address, or *)",
                "approval.tenants.robot { policy = allow, contracts = [], max-fee-fri = 1, max-fee-per-day-fri = 1 } |"
                        + " approval.tenants.robot.functions: missing (expected: a list [ … ], [\"*\"] for all)",
            })
    void aSettingThatCannotBeMeantIsAProblem(String lines, String problem) {
        List<String> problems = new ArrayList<>();
        ApprovalFixture.read(lines, problems);
        assertThat(problems).containsExactly(problem);
    }
}
