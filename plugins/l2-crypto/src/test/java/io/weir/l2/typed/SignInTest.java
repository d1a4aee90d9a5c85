package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignInTest {
    private static final String OLD = "'StarkNetDomain':[{'name':'name','type':'felt'}]";
    private static final String NEW =
            "'StarknetDomain':[{'name':'name','type':'shortstring'},{'name':'revision','type':'shortstring'}]";

    private static boolean isSignIn(String type, String fields, String values, boolean isOld) {
        String domain = isOld ? "{'name':'shop'}" : "{'name':'shop','revision':'1'}";
        String json = "{'types':{" + (isOld ? OLD : NEW) + ",'" + type + "':[" + fields + "]},'primaryType':'" + type
                + "','domain':" + domain + ",'message':{" + values + "}}";
        return SignIn.is(TypedData.of(Vectors.parse(json.replace('\'', '"'))), Felt.parseHex("0xacc"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            Login  | {'name':'text','type':'felt'}                | 'text':'hello'            | true  | true
            SignIn | {'name':'statement','type':'string'}         | 'statement':'hello'       | false | true
            SignIn | {'name':'address','type':'felt'}             | 'address':'0xacc'         | false | true
            SignIn | {'name':'issued_at','type':'timestamp'}      | 'issued_at':'1800000000'  | false | true
            SignIn | {'name':'nonce','type':'felt'}               | 'nonce':'a3f8'            | false | true
            Vote   | {'name':'text','type':'felt'}                | 'text':'hello'            | true  | false
            Login  | {'name':'address','type':'felt'}             | 'address':'0xbad'         | false | false
            Auth   | {'name':'give','type':'bool'}                | 'give':'0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d' | true | false
            Login  | {'name':'sum','type':'timestamp'}            | 'sum':'1000000000000000000' | false | false
            Auth   | {'name':'nonce','type':'ContractAddress'}    | 'nonce':'0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d' | false | false
            Auth   | {'name':'expiry','type':'u128'}              | 'expiry':'1000000000000000000' | false | false
            Login  | {'name':'amount','type':'felt'}              | 'amount':'zzzzzzzzz'      | false | false
            Login  | {'name':'text','type':'felt'}                | 'text':'\\u0001\\u0002bad' | false | false
            Login  | {'name':'кому nonce','type':'u128'}          | 'кому nonce':'1'          | false | false
            перевод Auth | {'name':'nonce','type':'u128'}         | 'nonce':'1'               | false | false
            """)
    void onlyWhatIsKnownIsHarmless(String type, String fields, String values, boolean isOld, boolean isSignIn) {
        assertThat(isSignIn(type, fields, values, isOld)).isEqualTo(isSignIn);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aMessageWithoutMembersIsNone(boolean isOld) {
        assertThat(isSignIn("Login", "", "", isOld)).isFalse();
    }
}
