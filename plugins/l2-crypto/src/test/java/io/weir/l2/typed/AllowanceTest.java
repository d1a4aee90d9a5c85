package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static final Felt TOKEN = Felt.parseHex("0x70ce");

    private static List<Allowance> read(String fields, String values) {
        return Allowance.of(
                TypedData.of(Vectors.parse("""
                {"types":{
                   "StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"verifyingContract","type":"ContractAddress"}],
                   "Details":[{"name":"token","type":"ContractAddress"},{"name":"amount","type":"u128"}],
                   "Permit":[%s]},
                 "primaryType":"Permit",
                 "domain":{"name":"test","verifyingContract":"0x70ce","revision":"1"},
                 "message":{%s}}
                """.formatted(fields.replace('\'', '"'), values.replace('\'', '"')))));
    }

    private static Allowance allowance(long spender, BigInteger amount) {
        return new Allowance(TOKEN, Felt.of(spender), amount);
    }

    @Test
    void theDomainNamesTheTokenIfTheMessageDoesNot() {
        String fields = "{'name':'spender','type':'ContractAddress'},{'name':'value','type':'u256'}";
        assertThat(read(fields, "'spender':'9','value':{'low':'1','high':'1'}"))
                .containsExactly(allowance(9, BigInteger.ONE.shiftLeft(128).add(BigInteger.ONE)));
    }

    @Test
    void theSpenderMayStandAroundOrBehindTheAmounts() {
        String fields = "{'name':'all','type':'Details*'},{'name':'Spender','type':'ContractAddress'}";
        String one = "{'token':'0x70ce','amount':'5'}";
        assertThat(read(fields, "'all':[" + one + "," + one + "],'Spender':'9'"))
                .containsExactly(allowance(9, BigInteger.valueOf(5)), allowance(9, BigInteger.valueOf(5)));
    }

    @Test
    void aFlagMeansEverythingOrNothing() {
        String fields = "{'name':'spender','type':'ContractAddress'},{'name':'allowed','type':'bool'}";
        assertThat(read(fields, "'spender':'9','allowed':true")).containsExactly(allowance(9, Allowance.MAX));
        assertThat(read(fields, "'spender':'9','allowed':false")).containsExactly(allowance(9, BigInteger.ZERO));
    }

    @Test
    void anAmountWithoutASpenderOrInATextIsNone() {
        assertThat(read("{'name':'amount','type':'u128'}", "'amount':'5'")).isEmpty();
        String fields = "{'name':'spender','type':'ContractAddress'},{'name':'amount','type':'string'}";
        assertThat(read(fields, "'spender':'9','amount':'5'")).isEmpty();
    }
}
