package io.weir.pipeline.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CacheMeters.Keeping;
import io.weir.method.CacheClass;
import io.weir.pipeline.admission.AdmissionPolicy.Content;
import io.weir.pipeline.admission.AdmissionPolicy.Decision;
import io.weir.pipeline.admission.AdmissionPolicy.Facts;
import io.weir.pipeline.admission.AdmissionPolicy.Key;
import io.weir.pipeline.admission.AdmissionPolicy.Place;
import io.weir.pipeline.admission.AdmissionPolicy.ProofState;
import io.weir.pipeline.admission.AdmissionPolicy.Reference;
import io.weir.pipeline.admission.AdmissionPolicy.Refuse;
import io.weir.pipeline.admission.AdmissionPolicy.Selector;
import io.weir.pipeline.admission.AdmissionPolicy.Store;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Enumerates the facts about an answer: each combination has one decision. */
class AdmissionPolicyTest {

    private static final Set<CacheClass> NAMING = EnumSet.of(
            CacheClass.BLOCK,
            CacheClass.HEADER,
            CacheClass.TRANSACTION,
            CacheClass.RECEIPT,
            CacheClass.RECEIPTS,
            CacheClass.BY_STATUS);
    private static final Set<CacheClass> PARTS = EnumSet.of(CacheClass.RECEIPT, CacheClass.LOGS, CacheClass.COUNT);

    private static final Set<CacheClass> ONLY_FINAL =
            EnumSet.of(CacheClass.LOGS, CacheClass.FINAL_VALUE, CacheClass.BY_STATUS);

    private static void forAll(Consumer<Facts> check) {
        for (CacheClass rule : CacheClass.values()) {
            for (Selector selector : Selector.values()) {
                for (Content content : Content.values()) {
                    for (ProofState proof : ProofState.values()) {
                        for (Place place : Place.values()) {
                            for (int bits = 0; bits < 8; bits++) {
                                check.accept(new Facts(
                                        rule,
                                        selector,
                                        content,
                                        (bits & 1) != 0,
                                        (bits & 2) != 0,
                                        proof,
                                        (bits & 4) != 0,
                                        place));
                            }
                        }
                    }
                }
            }
        }
    }

    /** The facts of answers that only the place of their block decides. */
    private static List<Facts> fitting() {
        List<Facts> fitting = new ArrayList<>();
        forAll(facts -> {
            boolean blockKnown = NAMING.contains(facts.rule()) || facts.selector() != Selector.OTHER;
            if (facts.content() == Content.FITS && !facts.unanchored() && blockKnown) {
                fitting.add(facts);
            }
        });
        return fitting;
    }

    @Test
    void anAnswerThatDoesNotFitIsRefusedWhateverItsBlock() {
        Set<String> rules = new TreeSet<>();
        forAll(facts -> {
            boolean blockKnown = NAMING.contains(facts.rule()) || facts.selector() != Selector.OTHER;
            Decision expected;
            if (facts.content() == Content.NULL) {
                expected = new Refuse(Keeping.UNFIT);
            } else if (facts.unanchored()) {
                expected = new Refuse(Keeping.UNANCHORED);
            } else if (facts.content() != Content.FITS || !blockKnown) {
                expected = new Refuse(Keeping.UNFIT);
            } else {
                assertThat(AdmissionPolicy.refuse(facts)).as("%s", facts).isNull();
                return;
            }
            rules.add(expected.toString());
            assertThat(AdmissionPolicy.refuse(facts)).as("%s", facts).isEqualTo(expected);
            assertThat(AdmissionPolicy.decide(facts)).as("%s", facts).isEqualTo(expected);
        });
        assertThat(rules).hasSize(2);
    }

    /** A row of the table: how long an answer is stored, and by which reference. */
    private record Row(String lifetime, Reference reference, boolean named, boolean placed) {

        static final Row NEVER = new Row("never", null, false, false);

        static Row ofFinal(Reference reference, boolean named, boolean placed) {
            return new Row("until evicted", reference, named, placed);
        }

        static Row ofCanonical(Reference reference, boolean named) {
            return new Row("while canonical", reference, named, true);
        }
    }

    /** Returns whether a status makes the block final, and the call asks for no block at a height. */
    private static boolean saysThatItIsFinal(Facts facts) {
        return facts.rule() == CacheClass.BY_STATUS && facts.selector() == Selector.OTHER;
    }

    private static Row row(Facts facts) {
        boolean naming = NAMING.contains(facts.rule());
        boolean byHash = facts.selector() == Selector.HASH || facts.selector() == Selector.CANONICAL_HASH;
        boolean canonical = facts.place() == Place.CANONICAL;
        if (naming && facts.isFinal()) {
            return switch (facts.place()) {
                case CANONICAL -> Row.ofFinal(Reference.HASH, true, true);
                case OTHER -> Row.NEVER;
                case UNKNOWN ->
                    byHash
                            ? Row.ofFinal(Reference.HASH, true, false)
                            : facts.manyUpstreams() && !saysThatItIsFinal(facts)
                                    ? Row.NEVER
                                    : Row.ofFinal(Reference.HASH, false, true);
            };
        }
        if (naming) {
            boolean required = facts.selector() == Selector.CANONICAL_HASH;
            return canonical && !required && !ONLY_FINAL.contains(facts.rule())
                    ? Row.ofCanonical(Reference.HASH, true)
                    : Row.NEVER;
        }
        if (facts.rule() == CacheClass.UNCLE && facts.manyUpstreams()) {
            return Row.NEVER;
        }
        boolean onlyFinal = ONLY_FINAL.contains(facts.rule());
        if (facts.selector() == Selector.HEIGHT) {
            return facts.isFinal()
                    ? Row.ofFinal(Reference.HEIGHT, false, true)
                    : canonical && !onlyFinal ? Row.ofCanonical(Reference.SLOT, false) : Row.NEVER;
        }
        if (!canonical) {
            return Row.NEVER;
        }
        return facts.isFinal()
                ? Row.ofFinal(Reference.HASH, false, true)
                : onlyFinal || facts.selector() == Selector.CANONICAL_HASH
                        ? Row.NEVER
                        : Row.ofCanonical(Reference.HASH, false);
    }

    @Test
    void eachAnswerThatFitsIsStoredAsTheTableSays() {
        TreeMap<String, Integer> cases = new TreeMap<>();
        for (Facts facts : fitting()) {
            Row row = row(facts);
            Key key = facts.rule() == CacheClass.BLOCK
                    ? Key.BLOCK
                    : facts.rule() == CacheClass.RECEIPTS ? Key.RECEIPTS : Key.CALL;
            Decision expected;
            if (row.equals(Row.NEVER)) {
                expected = new Refuse(Keeping.UNANCHORED);
            } else if (facts.proof() == ProofState.OPEN && PARTS.contains(facts.rule())) {
                expected = new Refuse(Keeping.UNVERIFIED);
            } else {
                boolean lasting = row.lifetime().equals("until evicted");
                boolean byItsNode = row.placed() && !facts.manyUpstreams() && facts.place() != Place.CANONICAL;
                expected =
                        new Store(key, lasting, row.reference(), row.named(), row.placed(), byItsNode, facts.proof());
            }
            cases.merge(row + " " + expected.getClass().getSimpleName(), 1, Integer::sum);
            assertThat(AdmissionPolicy.decide(facts)).as("%s", facts).isEqualTo(expected);
        }
        assertThat(cases).as("combinations of each row").hasSizeGreaterThan(10);
    }

    @Test
    void nothingThatCouldBecomeWrongIsStoredUntilEvicted() {
        for (Facts facts : fitting()) {
            if (AdmissionPolicy.decide(facts) instanceof Store store) {
                assertThat(store.lasting()).as("%s", facts).isEqualTo(facts.isFinal());
                assertThat(facts.place())
                        .as("%s", facts)
                        .isNotEqualTo(NAMING.contains(facts.rule()) ? Place.OTHER : null);
                if (!facts.isFinal()) {
                    assertThat(facts.place()).as("%s", facts).isEqualTo(Place.CANONICAL);
                }
            }
        }
    }
}
