package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedDataTest {
    /** A message of one field; each test fills in its type, what else the field says, and its value. */
    private static TypedData message(String type, String more, String value) {
        return TypedData.of(Vectors.parse("""
                {"types": {
                   "StarknetDomain": [{"name": "name", "type": "shortstring"}, {"name": "revision", "type": "shortstring"}],
                   "Choice": [{"name": "None", "type": "()"}, {"name": "Pair", "type": "(u128,u128*)"}],
                   "Loop": [{"name": "next", "type": "Loop*"}],
                   "M": [{"name": "a", "type": "%s"%s}]},
                 "primaryType": "M",
                 "domain": {"name": "test", "revision": "1"},
                 "message": {"a": %s}}
                """.formatted(type, more, value)));
    }

    private static Felt hash(String type, String value) {
        return message(type, "", value).messageHash(Felt.ONE);
    }

    private static Felt enumHash(String value) {
        return message("enum", ", \"contains\": \"Choice\"", value).messageHash(Felt.ONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "felt | 255 | \"0xff\"",
                "felt | 255 | \"255\"",
                "felt | 255 | \" 0b11111111\\n\"",
                "felt | 255 | \"0o377\"",
                "felt | 0 | \"\"",
                "felt | 1 | true",
                "shortstring | 6382179 | \"abc\"",
                "ContractAddress | 255 | \"0xFF\"",
                "timestamp | 1000 | \"1000\"",
                "i128 | -5 | \"-5\""
            })
    void oneNumberHasOneHashHoweverItIsWritten(String type, String first, String second) {
        assertThat(hash(type, first)).isEqualTo(hash(type, second));
    }

    @Test
    void aNegativeNumberIsCountedFromThePrime() {
        String counted = Felt.PRIME.toString();
        String below = counted.substring(0, counted.length() - 1) + "0";
        // The type is part of the hash, so that the values alone are compared here.
        ScalarEncoder scalars = new ScalarEncoder(new MeteredHash(Revision.ACTIVE));
        assertThat(scalars.encode("i128", Vectors.parse("-1"), "a"))
                .isEqualTo(scalars.encode("felt", Vectors.parse(below), "a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "felt | -1",
                "felt | 1.5",
                "felt | \"a text that is too long for a felt\"",
                "felt | [1]",
                "felt | {}",
                "felt | null",
                "felt | 3618502788666131213697322783095070105623107215331596699973092056135872020481",
                "ContractAddress | \"name\"",
                "ClassHash | true",
                "u128 | 340282366920938463463374607431768211456",
                "u128 | -1",
                "u128 | \"abc\"",
                "timestamp | true",
                "i128 | 170141183460469231731687303715884105728",
                "i128 | -170141183460469231731687303715884105729",
                "bool | 1",
                "bool | \"true\"",
                "string | 5",
                "selector | 5",
                "felt* | 5",
                "u256 | {\"low\": 1}",
                "merkletree | [1]",
                "Nothing | 5"
            })
    void aValueThatIsNotOfItsTypeIsRefusedWithItsPath(String type, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hash(type, value))
                .withMessageStartingWith("message.a")
                .withMessageContaining("expected");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"None\": [], \"Pair\": [1, [2]]}",
                "{\"Other\": []}",
                "{\"None\": [1]}",
                "{\"Pair\": [1]}",
                "5",
                "{\"Pair\": [1, [2], 3]}",
                "{\"Pair\": 1}"
            })
    void dataThatIsNoVariantIsRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> enumHash(value)).withMessageStartingWith("message.a");
    }

    @Test
    void variantsHaveDifferentHashes() {
        assertThat(enumHash("{\"None\": []}")).isNotEqualTo(enumHash("{\"Pair\": [0, []]}"));
        assertThat(enumHash("{\"Pair\": [1, [2, 3]]}")).isNotEqualTo(enumHash("{\"Pair\": [1, [3, 2]]}"));
    }

    @Test
    void depthAndNumberOfValuesAreBounded() {
        String deep = "{\"next\": [".repeat(40) + "]}".repeat(40);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hash("Loop", deep))
                .withMessageContaining("at most 32 values within each other");
        String wide = "[" + "1,".repeat(10_000) + "1]";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hash("felt*", wide))
                .withMessageContaining("at most 500000 steps");
    }

    @Test
    void longTextIsHashedWhole() {
        String text = "x".repeat(62);
        assertThat(hash("string", '"' + text + '"')).isNotEqualTo(hash("string", '"' + text + "\\u0000\""));
        assertThat(hash("string", "\"ä\"")).isNotEqualTo(hash("string", "\"a\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"felt\": []} | types.felt",
                "{\"enum\": []} | types.enum",
                "{\"merkletree\": []} | types.merkletree",
                "{\"a*\": []} | types.a*",
                "{\"(a)\": []} | types.(a)",
                "{\"u256\": []} | types.u256",
                "{\"M\": [{\"name\": \"a\"}]} | types.M[0]",
                "{\"M\": 5} | types.M",
                "5 | types",
                "{} | domain.revision"
            })
    void typesThatMeanNothingAreRefused(String types, String path) {
        String domain = types.startsWith("{\"") ? types.replaceFirst("\\{", "{\"StarknetDomain\": [], ") : types;
        String json = "{\"types\": %s, \"primaryType\": \"M\", \"domain\": {\"revision\": 1}, \"message\": {}}";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TypedData.of(Vectors.parse(json.formatted(domain))))
                .withMessageStartingWith(path + ":");
    }

    @Test
    void revisionAndDomainTypeGoTogether() {
        String json = "{\"types\": {\"%s\": [], \"M\": []}, \"primaryType\": \"M\", \"domain\": {%s}, \"message\": {}}";
        assertThat(TypedData.of(Vectors.parse(json.formatted("StarkNetDomain", "")))
                        .revision())
                .isEqualTo(Revision.LEGACY);
        assertThat(TypedData.of(Vectors.parse(json.formatted("StarkNetDomain", "\"revision\": \"0\"")))
                        .revision())
                .isEqualTo(Revision.LEGACY);
        assertThat(TypedData.of(Vectors.parse(json.formatted("StarknetDomain", "\"revision\": 1")))
                        .revision())
                .isEqualTo(Revision.ACTIVE);
        for (String wrong : new String[] {"\"revision\": 2", "\"revision\": true", ""}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TypedData.of(Vectors.parse(json.formatted("StarknetDomain", wrong))))
                    .withMessageStartingWith("domain.revision");
        }
    }
}
