package io.weir.method.params;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.ParamsTable.Row;
import io.weir.method.params.kind.InvalidParamsException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Parameters of each method, by the tables in the resources beside this class. */
class MethodParamsTest {

    private static final Map<String, MethodParams> METHODS = CatalogueParams.byMethod();
    private static final String A = ParamsTable.ADDRESS;
    private static final String H = ParamsTable.HASH;

    @ParameterizedTest(name = "{0}")
    @MethodSource("accepted")
    void validParametersAreSentInNormalForm(Row row) throws InvalidParamsException {
        // Within a longer text, as calls are within the body of a request.
        byte[] body = ("[" + row.given() + "]").getBytes(UTF_8);
        RawJson given = RawJson.slice(body, 1, body.length - 2);

        RawJson normal = check(row.method(), given).json();

        assertThat(normal).hasToString(row.normal());
        assertThat(normal == given).as("passed without a copy").isEqualTo(row.untouched());
        assertThat(check(row.method(), normal).json()).as("normal once more").isSameAs(normal);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void aProblemIsReportedWithItsPosition(Row row) {
        assertThatThrownBy(() -> check(row.method(), RawJson.of(row.given())))
                .isInstanceOf(InvalidParamsException.class)
                .hasMessage(row.error());
    }

    @Test
    void everyMethodWithParametersHasATable() {
        assertThat(ParamsTable.rows().stream().map(Row::method).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(METHODS.keySet().stream()
                        .filter(method -> METHODS.get(method).size() > 0)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("methodsWithoutParameters")
    void aMethodWithoutParametersTakesNone(String method) throws InvalidParamsException {
        RawJson none = RawJson.of("[]");

        assertThat(check(method, none).json()).isSameAs(none);
        assertThat(check(method, null).json()).isEqualTo(none);
        assertThat(check(method, RawJson.of("[ ]")).json()).isEqualTo(none);
        assertThatThrownBy(() -> check(method, RawJson.of("[null]")))
                .hasMessage("params[0]: null (expected: no parameters)");
        assertThatThrownBy(() -> check(method, RawJson.of("{}"))).hasMessage("params: {} (expected: an array)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eth_getBalance | ['@a','safe'] | Tag[tag=SAFE] | 1",
                "eth_getBalance | ['@a'] | Tag[tag=LATEST] | 1",
                "eth_getBalance | ['@a','0x10'] | Height[number=16] | 1",
                "eth_getBalance | ['@a','@h'] | Hash[hash=@h, requireCanonical=false] | 1",
                "eth_getStorageAt | ['@a','0x0',{'blockHash':'@h','requireCanonical':true}] | "
                        + "Hash[hash=@h, requireCanonical=true] | 2",
                "eth_getStorageAt | ['@a','0x0',{'blockNumber':'0x2','more':1}] | Height[number=2] | 2",
                "eth_call | [{}] | Tag[tag=LATEST] | 1",
                "eth_getBlockByNumber | ['earliest',true] | Tag[tag=EARLIEST] | 0",
                "eth_getBlockByHash | ['@h',true] | Hash[hash=@h, requireCanonical=false] | 0",
                "eth_getBlockReceipts | ['pending'] | Tag[tag=LATEST] | 0",
                "eth_getBlockReceipts | ['@h'] | Hash[hash=@h, requireCanonical=false] | 0",
                "eth_getBlockReceipts | [7] | Height[number=7] | 0",
                "eth_feeHistory | [4,'0x20',[]] | Height[number=32] | 1",
                "eth_getLogs | [{'fromBlock':'0x1','toBlock':'0x9'}] | Height[number=9] | -1",
                "eth_getLogs | [{'fromBlock':'0x1'}] | Tag[tag=LATEST] | -1",
                "eth_getLogs | [{'blockHash':'@h'}] | Hash[hash=@h, requireCanonical=false] | -1",
                "eth_getTransactionByHash | ['@h'] | None[] | -1",
                "eth_chainId | [] | None[] | -1",
            })
    void theBlockThatACallIsAboutIsKnownAndWhereItStands(String method, String given, String block, int index)
            throws InvalidParamsException {
        CheckedParams checked = check(
                method, RawJson.of(given.replace('\'', '"').replace("@a", A).replace("@h", H)));

        assertThat(checked.block()).hasToString(block.replace("@h", H));
        assertThat(checked.blockIndex()).isEqualTo(index);
    }

    @Test
    void theHashOfALookupIsKnown() throws InvalidParamsException {
        RawJson upper = RawJson.of("[\"" + ParamsTable.upperCase(H) + "\"]");

        assertThat(check("eth_getTransactionReceipt", upper).lookupHash()).isEqualTo(H);
        assertThat(check("eth_getHeaderByHash", upper).lookupHash()).isEqualTo(H);
        assertThat(check("eth_getBlockReceipts", upper).lookupHash()).isNull();
    }

    @Test
    void aBlockOrCallObjectCanBeReplaced() throws InvalidParamsException {
        CheckedParams checked = check("eth_call", RawJson.of("[{\"gas\":\"0xff\",\"data\":\"0x00\"},\"latest\",{}]"));

        CheckedParams numbered = checked.atHeight(5);
        assertThat(numbered.json()).hasToString("[{\"gas\":\"0xff\",\"data\":\"0x00\"},\"0x5\",{}]");
        assertThat(numbered.block()).isEqualTo(new BlockSelector.Height(5));

        RawJson call = checked.callObject();
        assertThat(CallObject.gas(call)).isEqualTo(255);
        CheckedParams cheaper = numbered.withCallObject(CallObject.withGas(call, 16));
        assertThat(cheaper.json()).hasToString("[{\"gas\":\"0x10\",\"data\":\"0x00\"},\"0x5\",{}]");
        assertThat(check("eth_call", cheaper.json()).json()).isSameAs(cheaper.json());
    }

    @Test
    void valuesAreShownShortAndWithoutControlCharacters() {
        assertThatThrownBy(() -> check("eth_getCode", RawJson.of("[\"" + "\u202e\u007f\u0085'".repeat(100) + "\"]")))
                .hasMessage("params[0]: \"" + "\\u202e\\u007f\\u0085'".repeat(3)
                        + "\\u202e...\" (expected: address of 20 bytes in hex)");
        assertThatThrownBy(() -> check("eth_getCode", RawJson.of("[{\n\t\"a\":\r1}]")))
                .hasMessage("params[0]: {  \"a\": 1} (expected: address of 20 bytes in hex)");
    }

    @Test
    void nestingBeyondWhatClientsMaySendIsAWrongParameter() {
        RawJson deep = RawJson.of("[" + "[".repeat(100) + "]".repeat(100) + "]");

        assertThatThrownBy(() -> check("eth_getCode", deep))
                .isInstanceOf(InvalidParamsException.class)
                .hasMessageContaining("nesting");
    }

    @Test
    void manyParametersTooManyAreNotAllRead() {
        RawJson many = RawJson.of("[" + "1,".repeat(1_000_000) + "1]");

        assertThatThrownBy(() -> check("eth_chainId", many)).hasMessage("params[0]: 1 (expected: no parameters)");
    }

    private static CheckedParams check(String method, RawJson params) throws InvalidParamsException {
        return METHODS.get(method).check(params);
    }

    static Stream<Row> accepted() {
        return ParamsTable.rows().stream().filter(row -> row.error() == null);
    }

    static Stream<Row> refused() {
        return ParamsTable.rows().stream().filter(row -> row.error() != null);
    }

    static List<String> methodsWithoutParameters() {
        return METHODS.keySet().stream()
                .filter(method -> METHODS.get(method).size() == 0)
                .sorted()
                .toList();
    }
}
