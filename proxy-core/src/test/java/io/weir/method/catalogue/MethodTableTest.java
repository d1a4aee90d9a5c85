package io.weir.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.UnknownMethods;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPattern;
import io.weir.method.MethodPolicy;
import io.weir.method.MethodTrait;
import io.weir.method.NullMeaning;
import io.weir.method.ProofKind;
import io.weir.method.params.MethodParams;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The whole table of methods, so that a review sees every change of a row, and the rules that hold between its columns. */
class MethodTableTest {

    private static final MethodCatalogue CATALOGUE = MethodCatalogue.ethereum();

    @Test
    void theTableIsTheOneUnderReview() throws IOException {
        assertThat(String.join("\n", table()) + "\n").isEqualTo(reviewed());
    }

    private static String reviewed() throws IOException {
        try (InputStream in = MethodTableTest.class.getResourceAsStream("methods.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add("method: parameters; role; cost; traits; look-up, meaning of null; cache class; block field; proof");
        CATALOGUE.rows().stream().map(MethodTableTest::line).sorted().forEach(lines::add);
        return lines;
    }

    private static String line(MethodFacts facts) {
        return (facts.known() ? "" : "(unknown) ")
                + facts.name()
                + ": "
                + String.join(
                        "; ",
                        parameters(facts.params()),
                        facts.role().name(),
                        Integer.toString(facts.cost()),
                        facts.traits().isEmpty()
                                ? "-"
                                : facts.traits().stream().map(Enum::name).collect(Collectors.joining(" ")),
                        facts.lookup().isLookup() ? facts.lookup() + ", " + facts.nullMeaning() : "-",
                        facts.cacheClass() == null ? "-" : facts.cacheClass().name(),
                        facts.blockField() == null ? "-" : facts.blockField().name(),
                        facts.proof() == ProofKind.NONE ? "-" : facts.proof().name());
    }

    private static String parameters(MethodParams params) {
        if (params == null) {
            return "unchecked";
        }
        String block = params.blockIndex() < 0 ? "" : ", block at " + params.blockIndex();
        String call = params.callIndex() < 0 ? "" : ", call at " + params.callIndex();
        return params.size() + block + call;
    }

    @Test
    void onlyLookupsGiveNullAMeaning() {
        assertThat(CATALOGUE.rows())
                .allSatisfy(facts -> assertThat(facts.nullMeaning() != NullMeaning.NONE)
                        .as(facts.name())
                        .isEqualTo(facts.lookup().isLookup()));
    }

    @Test
    void onlyRepeatableMethodsAreBatchedOrCached() {
        assertThat(CATALOGUE.rows())
                .filteredOn(facts -> facts.batchable() || facts.cacheClass() != null)
                .hasSizeGreaterThan(40)
                .allSatisfy(
                        facts -> assertThat(facts.repeatable()).as(facts.name()).isTrue());
    }

    @Test
    void whatCanBeProvenOrCutOutOfABlockIsCachedAndItsParametersAreChecked() {
        assertThat(CATALOGUE.rows())
                .filteredOn(facts -> facts.proof() != ProofKind.NONE || facts.blockField() != null)
                .hasSizeGreaterThan(15)
                .allSatisfy(facts -> {
                    assertThat(facts.cacheClass()).as(facts.name()).isNotNull();
                    assertThat(facts.params()).as(facts.name()).isNotNull();
                    assertThat(facts.isHeldToHead()).as(facts.name()).isTrue();
                });
    }

    @Test
    void everyCacheClassButStateFeesAndTracesHasAProof() {
        assertThat(CATALOGUE.rows())
                .filteredOn(facts -> facts.cacheClass() != null)
                .allSatisfy(facts -> assertThat(facts.proof() == ProofKind.NONE)
                        .as(facts.name())
                        .isEqualTo(facts.cacheClass() == CacheClass.VALUE
                                || facts.cacheClass() == CacheClass.HEAD_VALUE
                                || facts.cacheClass() == CacheClass.FINAL_VALUE));
    }

    @Test
    void whatSendsATransactionIsNotRepeatable() {
        assertThat(CATALOGUE.rows())
                .filteredOn(MethodFacts::writes)
                .extracting(MethodFacts::name, MethodFacts::repeatable)
                .containsExactlyInAnyOrder(
                        tuple("eth_sendRawTransaction", false),
                        tuple("eth_sendRawTransactionSync", false),
                        tuple("eth_sendRawTransactionConditional", false),
                        tuple("eth_sendTransaction", false));
    }

    @Test
    void onlyMethodsThatUseANodesKeysAreDeniedInEthereumsNamespace() {
        MethodPolicy policy = new MethodPolicy(new MethodRules(List.of(), List.of(), UnknownMethods.PASS, 10));
        assertThat(CATALOGUE.rows())
                .filteredOn(facts -> MethodPattern.isOfEthereum(facts.name()))
                .allSatisfy(facts -> assertThat(policy.serves(facts.name(), true))
                        .as(facts.name())
                        .isEqualTo(!facts.traits().contains(MethodTrait.USES_NODE_KEY)));
    }
}
