package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import io.weir.l2.hash.Selector;
import io.weir.l2.transaction.ContractCall;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutsideExecutionTest {
    private static final String FIRST =
            """
        {"types":{
          "StarkNetDomain":[{"name":"name","type":"felt"},{"name":"version","type":"felt"},{"name":"chainId","type":"felt"}],
          "OutsideExecution":[{"name":"caller","type":"felt"},{"name":"nonce","type":"felt"},
            {"name":"execute_after","type":"felt"},{"name":"execute_before","type":"felt"},
            {"name":"calls_len","type":"felt"},{"name":"calls","type":"OutsideCall*"}],
          "OutsideCall":[{"name":"to","type":"felt"},{"name":"selector","type":"felt"},
            {"name":"calldata_len","type":"felt"},{"name":"calldata","type":"felt*"}]},
         "primaryType":"OutsideExecution",
         "domain":{"name":"Account.execute_from_outside","version":"1","chainId":"SN_SEPOLIA"},
         "message":{"caller":"ANY_CALLER","nonce":"0x7","execute_after":1,"execute_before":"0x10","calls_len":1,
           "calls":[{"to":"0x70ce","selector":"SELECTOR","calldata_len":"2","calldata":["7","0b11"]}]}}
        """.replace("SELECTOR", Selector.of("transfer").toHex());
    private static final String SECOND = """
        {"types":{
          "StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
            {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
          "OutsideExecution":[{"name":"Caller","type":"ContractAddress"},{"name":"Nonce","type":"felt"},
            {"name":"Execute After","type":"u128"},{"name":"Execute Before","type":"u128"},{"name":"Calls","type":"Call*"}],
          "Call":[{"name":"To","type":"ContractAddress"},{"name":"Selector","type":"selector"},
            {"name":"Calldata","type":"felt*"}]},
         "primaryType":"OutsideExecution",
         "domain":{"name":"Account.execute_from_outside","version":2,"chainId":"SN_SEPOLIA","revision":"1"},
         "message":{"Caller":"0x123","Nonce":"0x7","Execute After":"1","Execute Before":"16",
           "Calls":[{"To":"0x70ce","Selector":"transfer","Calldata":["7","0b11"]},{"To":"0x2","Selector":"0x3","Calldata":[]}]}}
        """;

    private static TypedData read(String json) {
        return TypedData.of(Vectors.parse(json));
    }

    @Test
    void theTypesAreThoseOfTheStandard() {
        assertThat(read(FIRST).typeHash("OutsideExecution"))
                .isEqualTo(Felt.parseHex("0x11ff76fe3f640fa6f3d60bbd94a3b9d47141a2c96f87fdcfbeb2af1d03f7050"));
        assertThat(read(SECOND).typeHash("OutsideExecution"))
                .isEqualTo(Felt.parseHex("0x312b56c05a7965066ddbda31c016d8d05afc305071c0ca3cdc2192c3c2f1f0f"));
    }

    @Test
    void bothVersionsGiveTheValuesThatTheHashCovers() {
        ContractCall transfer = ContractCall.of(Felt.parseHex("0x70ce"), "transfer", List.of(Felt.of(7), Felt.of(3)));
        assertThat(OutsideExecution.of(read(FIRST)))
                .isEqualTo(new OutsideExecution(
                        OutsideExecution.ANY_CALLER, BigInteger.ONE, BigInteger.valueOf(16), List.of(transfer)));
        assertThat(OutsideExecution.of(read(SECOND)))
                .isEqualTo(new OutsideExecution(
                        Felt.parseHex("0x123"),
                        BigInteger.ONE,
                        BigInteger.valueOf(16),
                        List.of(transfer, new ContractCall(Felt.of(2), Felt.of(3), List.of()))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"type\":\"selector\" | \"type\":\"felt\" | the types of SNIP-9",
                "\"primaryType\":\"OutsideExecution\" | \"primaryType\":\"Call\" | the types of SNIP-9",
                "\"Calldata\":[] | \"Calldata\":{} | Calldata: unusable (expected: a list)",
                "\"Caller\":\"0x123\" | \"Caller\":\"ANY_CALLER\" | ContractAddress: unusable",
                "\"Execute After\":\"1\" | \"Execute Later\":\"1\" | u128: unusable",
            })
    void anythingElseIsRefused(String old, String changed, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutsideExecution.of(read(SECOND.replace(old, changed))))
                .withMessageContaining(problem);
    }

    @Test
    void aLengthThatTheListDoesNotHaveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        OutsideExecution.of(read(FIRST.replace("\"calldata_len\":\"2\"", "\"calldata_len\":\"3\""))))
                .withMessage("calldata_len: unusable (expected: the length of the list)");
    }
}
