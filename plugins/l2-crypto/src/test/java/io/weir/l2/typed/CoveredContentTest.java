package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.Vectors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A person reads a message: its hash covers all that he reads, or it has none. */
class CoveredContentTest {
    private static final String DOMAIN = "\"StarknetDomain\": [{\"name\": \"name\", \"type\": \"shortstring\"},"
            + " {\"name\": \"chainId\", \"type\": \"shortstring\"}]";

    private static TypedData typed(String types, String primaryType, String message) {
        return TypedData.of(Vectors.parse("""
                {"types": {%s, %s}, "primaryType": "%s",
                 "domain": {"name": "test", "chainId": "SN_MAIN", "revision": "1"}, "message": %s}
                """.formatted(DOMAIN, types, primaryType, message)));
    }

    private static void assertRefused(String types, String message, String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> typed(types, "M", message).messageHash(Felt.ONE))
                .withMessageStartingWith(path + ":")
                .withMessageContaining("expected");
    }

    private static TypedData domain(String types, String domain) {
        return TypedData.of(Vectors.parse("""
                {"types": {"StarknetDomain": [%s], "M": []}, "primaryType": "M", "domain": {%s, "revision": "1"},
                 "message": {}}
                """.formatted(types, domain)));
    }

    @Test
    void twoFieldsOfOneNameHideNoMember() {
        String name = "{\"name\": \"name\", \"type\": \"shortstring\"}";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> domain(name + "," + name, "\"name\": \"a\", \"chainId\": \"SN_MAIN\""))
                .withMessageStartingWith("types.StarknetDomain[1].name:");
        String to = "{\"name\": \"to\", \"type\": \"felt\"}";
        assertRefused("\"M\": [%s, %s]".formatted(to, to), "{\"to\": 1, \"amount\": 2}", "types.M[1].name");
    }

    @Test
    void twoVariantsOfOneNameAreRefused() {
        assertRefused(
                "\"E\": [{\"name\": \"A\", \"type\": \"()\"}, {\"name\": \"A\", \"type\": \"(u128)\"}],"
                        + " \"M\": [{\"name\": \"a\", \"type\": \"enum\", \"contains\": \"E\"}]",
                "{\"a\": {\"A\": []}}",
                "types.E[1].name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'to': 1, 'To': 2} | message.To",
                "{'to': 1, 'to_': 2} | message.to_",
                "{'to': 1, 'revision': '1'} | message.revision"
            })
    void aMemberWhoseNameIsSimilarIsNoField(String message, String path) {
        assertRefused("\"M\": [{\"name\": \"to\", \"type\": \"felt\"}]", message.replace('\'', '"'), path);
    }

    /** Without this, a name could hold the fields of another type, whose hash the message then had. */
    @ParameterizedTest
    @ValueSource(strings = {"a\\\"", "a:felt", "a,b", "a(", "(a", "a)", "", "*"})
    void aNameHoldsNoSignOfAnEncodedType(String name) {
        String field = "{\"name\": \"%s\", \"type\": \"felt\"}".formatted(name);
        assertRefused("\"M\": [%s]".formatted(field), "{\"%s\": 1}".formatted(name), "types.M[0].name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> typed("\"%s\": []".formatted(name), name, "{}"))
                .withMessageStartingWith("types.");
    }

    @Test
    void halfACharacterIsNoName() {
        assertRefused("\"M\": [{\"name\": \"a\\ud800\", \"type\": \"felt\"}]", "{}", "types.M[0].name");
    }

    @Test
    void noTypeHasTheTextOfAnother() {
        String person = "[{\"name\": \"name\", \"type\": \"felt\"}, {\"name\": \"wallet\", \"type\": \"felt\"}]";
        String forged = "Mail(from:Person,to:Person)Person";
        String json = """
                {"types": {"StarkNetDomain": [], "%s": %s}, "primaryType": "%s", "domain": {}, "message":
                 {"name": 1, "wallet": 2}}
                """;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypedData.of(Vectors.parse(json.formatted(forged, person, forged))))
                .withMessageStartingWith("types." + forged);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"felt,felt", "felt:felt", "(felt)x", "((felt))", "(felt,)", "(,)", "fe\\\"lt", "", "*", "(*)"})
    void aTypeOfAFieldIsANameOrAVariant(String type) {
        assertRefused("\"M\": [{\"name\": \"a\", \"type\": \"%s\"}]".formatted(type), "{\"a\": 1}", "types.M[0].type");
    }

    @Test
    void aFieldSaysNothingThatTheHashDoesNotCover() {
        assertRefused(
                "\"M\": [{\"name\": \"a\", \"type\": \"felt\", \"note\": \"gives nothing away\"}]",
                "{\"a\": 1}",
                "types.M[0]");
        assertRefused(
                "\"M\": [{\"name\": \"a\", \"type\": \"felt\", \"contains\": \"Refund\"}]",
                "{\"a\": 1}",
                "types.M[0].contains");
        assertRefused(
                "\"M\": [{\"name\": \"a\", \"type\": \"merkletree\", \"contains\": 5}]",
                "{\"a\": [1]}",
                "types.M[0].contains");
    }

    @Test
    void aTypeThatTheHashDoesNotCoverIsNotShown() {
        TypedData data = typed(
                "\"Refund\": [{\"name\": \"to_you\", \"type\": \"felt\"}], \"Leaf\": [{\"name\": \"x\", \"type\": \"felt\"}],"
                        + " \"M\": [{\"name\": \"a\", \"type\": \"merkletree\", \"contains\": \"Leaf\"}]",
                "M",
                "{\"a\": [{\"x\": 1}]}");
        JsonNode shown = data.covered();
        assertThat(shown.path("types").propertyNames()).containsExactly("StarknetDomain", "Leaf", "M");
        assertThat(TypedData.of(shown).messageHash(Felt.ONE)).isEqualTo(data.messageHash(Felt.ONE));
        assertThat(shown.path("message")).isEqualTo(data.message());
        assertThat(shown.path("domain")).isEqualTo(data.domain());
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "selector"})
    void halfACharacterIsRefused(String type) {
        assertRefused(
                "\"M\": [{\"name\": \"a\", \"type\": \"%s\"}]".formatted(type), "{\"a\": \"x\\ud800\"}", "message.a");
    }

    /** Hashed as the type of a message, the domain's type is one like others. */
    @Test
    void aMessageOfTheDomainsTypeIsCoveredLikeAnyOther() {
        String message = "{\"name\": \"a\", \"chainId\": \"%s\"}";
        Felt hash = typed("\"M\": []", "StarknetDomain", message.formatted("SN_MAIN"))
                .messageHash(Felt.ONE);
        assertThat(typed("\"M\": []", "StarknetDomain", message.formatted("SN_SEPOLIA"))
                        .messageHash(Felt.ONE))
                .isNotEqualTo(hash);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> typed("\"M\": []", "StarknetDomain", message.formatted("a\", \"extra\": \"b"))
                        .messageHash(Felt.ONE))
                .withMessageStartingWith("message.extra");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "shortstring | 'SN_MAIN'",
                "felt | 'SN_MAIN'",
                "felt | '0x534e5f4d41494e'",
                "felt | 23448594291968334",
                "felt | '23448594291968334'",
                "shortstring | ' 0x534e5f4d41494e'"
            })
    void theChainOfAMessageIsTheNumberThatItsHashCovers(String type, String value) {
        assertThat(chainId(type, value)).isEqualTo(ShortString.encode("SN_MAIN"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string | 'SN_MAIN'",
                "selector | 'SN_MAIN'",
                "felt | ' SN_MAIN'",
                "felt | 'sn_main'",
                "felt | true",
                "felt* | [23448594291968334]"
            })
    void whatTheHashCoversOtherwiseIsAnotherChain(String type, String value) {
        assertThat(chainId(type, value)).isNotEqualTo(ShortString.encode("SN_MAIN"));
    }

    private static Felt chainId(String type, String value) {
        return domain(
                        "{\"name\": \"chainId\", \"type\": \"%s\"}".formatted(type),
                        "\"chainId\": " + value.replace('\'', '"'))
                .chainId()
                .orElseThrow();
    }

    @Test
    void aDomainWhoseTypeHasNoChainHasNone() {
        TypedData data = domain("{\"name\": \"name\", \"type\": \"felt\"}", "\"name\": 1, \"chainId\": \"SN_MAIN\"");
        assertThat(data.chainId()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> data.messageHash(Felt.ONE))
                .withMessageStartingWith("domain.chainId:");
    }

    @Test
    void theTextsOfTypesAreBounded() {
        String name = "n".repeat(70_000);
        assertRefused("\"M\": [{\"name\": \"%s\", \"type\": \"felt\"}]".formatted(name), "{}", "types");
        // Each type needs all others: 250 texts, each of all types.
        String fields = IntStream.range(0, 40)
                .mapToObj(index -> "{\"name\": \"f%d\", \"type\": \"felt\"}".formatted(index))
                .collect(Collectors.joining(", "));
        String ring = IntStream.range(0, 250)
                .mapToObj(index -> "\"R%d\": [{\"name\": \"next\", \"type\": \"R%d*\"}, %s]"
                        .formatted(index, (index + 1) % 250, fields))
                .collect(Collectors.joining(", "));
        StringBuilder message = new StringBuilder("[]");
        String values = IntStream.range(0, 40)
                .mapToObj(index -> "\"f%d\": 1".formatted(index))
                .collect(Collectors.joining(", "));
        for (int depth = 0; depth < 12; depth++) {
            message.insert(0, "[{\"next\": ").append(", ").append(values).append("}]");
        }
        assertRefused(ring + ", \"M\": [{\"name\": \"a\", \"type\": \"R0*\"}]", "{\"a\": " + message + "}", "types");
    }
}
