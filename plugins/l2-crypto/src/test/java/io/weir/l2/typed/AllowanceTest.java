package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void anAmountWithoutASpenderIsNone() {
        assertThat(read("{'name':'amount','type':'u128'}", "'amount':'5'")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {'name':'amount','type':'string'}                           | 'amount':'5'
            {'name':'amount','type':'u128*'}                            | 'amount':['5']
            {'name':'amount','type':'u256'}                             | 'amount':{'low':'0x100000000000000000000000000000000','high':'0'}
            {'name':'Spender','type':'ContractAddress'}                 | 'Spender':'8'
            {'name':'token','type':'felt'},{'name':'asset','type':'felt'} | 'token':'1','asset':'2'
            """)
    void whatCouldMeanTwoThingsIsRefused(String field, String value) {
        String fields = "{'name':'spender','type':'ContractAddress'},{'name':'limit','type':'u128'}," + field;
        assertThatIllegalArgumentException().isThrownBy(() -> read(fields, "'spender':'9','limit':'1'," + value));
    }

    @Test
    void theDomainNamesNoTokenIfTheMessageHoldsOtherThings() {
        String fields = "{'name':'spender','type':'felt'},{'name':'value','type':'u128'},{'name':'sell','type':'felt'}";
        assertThat(read(fields, "'spender':'9','value':'1','sell':'0x5'"))
                .containsExactly(new Allowance(Felt.ZERO, Felt.of(9), BigInteger.ONE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {'token':'1','spender':'9','amount':'5','deadline':'3'}               | true
            {'token':'1','spender':'9','amount':{'low':'5','high':'0'}}           | true
            {'all':[{'token':'1','amount':'5'}],'spender':'9'}                    | true
            {'token':'1','spender':'9','amount':'5','recipient':'0xbad'}          | false
            {'token':'1','spender':'9','amount':{'low':'5','high':'0','times':'9'}} | false
            {'token':'1','spender':'9','amount':'0','how':{'all':['9']}}          | false
            {'token':'1','spender':'9','amount':'0','rest':{'low':'5','high':'0'}} | false
            """)
    void aMessageIsWholeIfItHoldsNothingElse(String message, boolean isWhole) {
        assertThat(Allowance.isWhole(Vectors.parse(message.replace('\'', '"')))).isEqualTo(isWhole);
    }
}
