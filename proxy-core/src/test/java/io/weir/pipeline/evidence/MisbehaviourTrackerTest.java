package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.jsonrpc.RawJson;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Unlisted;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which nodes are blamed for answers, and whether that costs health. */
class MisbehaviourTrackerTest {

    private static final String METHOD = "eth_getBlockByHash";
    private static final RawJson PARAMS = RawJson.of("[\"0x1\",true]");
    private static final Verification<String> PROVEN = new Proven<>("", "");
    private static final Verification<String> UNVERIFIABLE = new Unverifiable<>("as laid down");

    private final List<String> blamed = new ArrayList<>();
    private final MisbehaviourTracker tracker = tracker(Hashing.ETHEREUM);

    private MisbehaviourTracker tracker(Hashing hashing) {
        return new MisbehaviourTracker(
                "net",
                hashing,
                false,
                (id, flaw, detail, costs) -> blamed.add(id + " " + flaw + (costs ? " costs" : "")));
    }

    private void note(String upstream, Verification<?> verification) {
        tracker.note(upstream, METHOD, PARAMS, true, verification);
    }

    static Stream<Verification<String>> holding() {
        return Stream.of(PROVEN, new Incomplete<>("as laid down"), new Unlisted<>("", "as laid down"));
    }

    @ParameterizedTest
    @MethodSource("holding")
    void anAnswerThatCannotBeVerifiedCountsOnceAnotherNodesHolds(Verification<String> holding) {
        note("a", UNVERIFIABLE);
        note("b", UNVERIFIABLE);
        assertThat(blamed).isEmpty();
        note("c", holding);
        assertThat(blamed).containsExactlyInAnyOrder("a UNVERIFIABLE costs", "b UNVERIFIABLE costs");
        note("c", holding);
        assertThat(blamed).as("once each").hasSize(2);
    }

    @Test
    void aNodeIsNotBlamedByItsOwnLaterProof() {
        note("a", UNVERIFIABLE);
        note("b", UNVERIFIABLE);
        note("a", PROVEN);
        assertThat(blamed).containsExactly("b UNVERIFIABLE costs");
    }

    @Test
    void theProofOfAnotherCallBlamesNobody() {
        note("a", UNVERIFIABLE);
        tracker.note("b", METHOD, RawJson.of("[\"0x2\",true]"), true, PROVEN);
        assertThat(blamed).isEmpty();
    }

    @Test
    void aFalseAnswerCostsHealthOnceABlockWasProven() {
        MisbehaviourTracker unsure = tracker(Hashing.AUTO);
        unsure.note("a", METHOD, PARAMS, true, new Wrong<>("as laid down"));
        unsure.note("b", METHOD, PARAMS, false, PROVEN);
        unsure.note("a", METHOD, PARAMS, true, new Wrong<>("as laid down"));
        unsure.note("b", METHOD, PARAMS, true, PROVEN);
        unsure.note("a", METHOD, PARAMS, true, new Wrong<>("as laid down"));
        assertThat(blamed).containsExactly("a FALSE_HASH", "a FALSE_HASH", "a FALSE_HASH costs");
    }

    @Test
    void aResultThatOthersContradictCostsHealthOnlyIfNoSettingExplainsIt() {
        tracker.outvoted("a", "eth_call", "as laid down", false);
        tracker(Hashing.AUTO).outvoted("b", "eth_getBalance", "as laid down", true);
        assertThat(blamed).containsExactly("a " + Flaw.OTHER_RESULT, "b " + Flaw.OTHER_RESULT + " costs");
    }

    @Test
    void onlySoManyCallsAreRepeatedInDoubt() {
        for (int i = 0; i < MisbehaviourTracker.MAX_DOUBTS; i++) {
            assertThat(tracker.takeDoubt()).isTrue();
        }
        assertThat(tracker.takeDoubt()).isFalse();
    }
}
