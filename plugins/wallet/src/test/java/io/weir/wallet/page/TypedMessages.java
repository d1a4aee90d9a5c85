package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Selector;
import io.weir.wallet.abi.CallDescriber;
import io.weir.wallet.abi.MessageEffect;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Typed messages as applications send them and as attackers could, each with the words that its page must show. Stateless.
 */
final class TypedMessages {
    static final Felt STRK = Felt.parseHex("0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d");

    /** A contract whose class is known. */
    static final Felt POOL = Felt.parseHex("0x9001");

    static final String POOL_ABI = """
        [{"type":"function","name":"swap","inputs":[{"name":"amount_in","type":"core::integer::u256"},
          {"name":"to","type":"core::starknet::contract_address::ContractAddress"}]}]
        """;

    static final String LATER = "This signature can move funds later, without another question";
    static final String UNKNOWN = "A signature can move funds. The wallet does not know what this message allows";
    static final String UNLIMITED = "An allowance has no limit: the spender can take everything, now and later.";
    static final String ITSELF = "The account calls itself.";
    static final String SIGN_IN =
            "It looks like a sign-in: beside the address of the account it holds text, which no contract reads. Read it.";

    static final String ANY_FELT = "0x414e595f43414c4c4552";
    static final String ANYBODY = "Anybody (ANY_CALLER) may submit";
    static final String MAX_WORD = "0xffffffffffffffffffffffffffffffff";
    static final String DOMAIN = "{'name':'shop','version':'1','chainId':'SN_SEPOLIA','revision':'1'}";
    static final String DOMAIN_TYPE = "'StarknetDomain':[{'name':'name','type':'shortstring'},"
            + "{'name':'version','type':'shortstring'},{'name':'chainId','type':'shortstring'},"
            + "{'name':'revision','type':'shortstring'}]";
    static final String OLD_DOMAIN_TYPE = "'StarkNetDomain':[{'name':'name','type':'felt'},"
            + "{'name':'version','type':'felt'},{'name':'chainId','type':'felt'}]";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final L2Network NETWORK = new L2Network("l2test", ShortString.encode("SN_SEPOLIA"));

    private TypedMessages() {}

    /**
     * A message and what a person must read. Immutable.
     *
     * @param json typed data; apostrophes stand for quotes
     * @param isSignable whether the wallet signs it; it shows none of the others, and must not fail at them
     * @param sentences on its page
     * @param dangers on its page and in the list
     */
    record Row(String name, String json, boolean isSignable, List<String> sentences, List<String> dangers) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Lets a message wait on the pages as the wallet asks for it. Returns its id. */
    static String ask(PageFixture pages, Row row) {
        pages.chain.describe(POOL, POOL_ABI);
        JsonNode message = JSON.readTree(row.json());
        CallDescriber describer = new CallDescriber(new L2Client(pages.chain, System::nanoTime));
        List<RequestedCall> calls = describer.describe(NETWORK, MessageEffect.of(message, ApprovalFixture.ACCOUNT));
        pages.approvals.ask(ApprovalFixture.message("demo", row.json(), calls.toArray(RequestedCall[]::new)));
        return pages.approvals.only().id();
    }

    static Row row(String name, String json, List<String> sentences, String... dangers) {
        return new Row(name, json.replace('\'', '"'), true, sentences, List.of(dangers));
    }

    static Row hostile(String name, String json, List<String> sentences, String... dangers) {
        return new Row(name, json.replace('\'', '"'), false, sentences, List.of(dangers));
    }

    static List<Row> all() {
        return Stream.of(
                        OutsideExecutionRows.ALL,
                        OtherMessageRows.PERMITS,
                        OtherMessageRows.SIGN_INS,
                        OtherMessageRows.OTHERS,
                        OtherMessageRows.HOSTILE)
                .flatMap(List::stream)
                .toList();
    }

    static String padded(String hex) {
        return Felt.parseHex(hex).toPaddedHex();
    }

    /** An outside execution of version 1. */
    static String first(String caller, String after, String before, String... calls) {
        return counted(calls.length, caller, after, before, calls);
    }

    static String counted(int length, String caller, String after, String before, String... calls) {
        return "{'types':{" + OLD_DOMAIN_TYPE + ",'OutsideExecution':[{'name':'caller','type':'felt'},"
                + "{'name':'nonce','type':'felt'},{'name':'execute_after','type':'felt'},"
                + "{'name':'execute_before','type':'felt'},{'name':'calls_len','type':'felt'},"
                + "{'name':'calls','type':'OutsideCall*'}],"
                + "'OutsideCall':[{'name':'to','type':'felt'},{'name':'selector','type':'felt'},"
                + "{'name':'calldata_len','type':'felt'},{'name':'calldata','type':'felt*'}]},"
                + "'primaryType':'OutsideExecution',"
                + "'domain':{'name':'Account.execute_from_outside','version':'1','chainId':'SN_SEPOLIA'},"
                + "'message':{'caller':'" + caller + "','nonce':'0x5','execute_after':" + after
                + ",'execute_before':" + before + ",'calls_len':" + length
                + ",'calls':[" + String.join(",", calls) + "]}}";
    }

    static String firstCall(Felt to, String function, String... calldata) {
        return "{'to':'" + to.toHex() + "','selector':'" + Selector.of(function).toHex() + "','calldata_len':"
                + calldata.length + ",'calldata':" + list(calldata) + "}";
    }

    /** An outside execution of version 2. */
    static String second(String caller, String after, String before, String... calls) {
        return secondOf("'Account.execute_from_outside'", "selector", caller, after, before, calls);
    }

    static String secondOf(String name, String selector, String caller, String after, String before, String... calls) {
        return "{'types':{" + DOMAIN_TYPE + ",'OutsideExecution':[{'name':'Caller','type':'ContractAddress'},"
                + "{'name':'Nonce','type':'felt'},{'name':'Execute After','type':'u128'},"
                + "{'name':'Execute Before','type':'u128'},{'name':'Calls','type':'Call*'}],"
                + "'Call':[{'name':'To','type':'ContractAddress'},{'name':'Selector','type':'" + selector + "'},"
                + "{'name':'Calldata','type':'felt*'}]},'primaryType':'OutsideExecution',"
                + "'domain':{'name':" + name + ",'version':2,'chainId':'SN_SEPOLIA','revision':'1'},"
                + "'message':{'Caller':'" + caller + "','Nonce':'0x5','Execute After':'" + after
                + "','Execute Before':'" + before + "','Calls':[" + String.join(",", calls) + "]}}";
    }

    static String secondCall(Felt to, String function, String... calldata) {
        return namedCall(to, Selector.of(function).toHex(), calldata);
    }

    static String namedCall(Felt to, String selector, String... calldata) {
        return "{'To':'" + to.toHex() + "','Selector':'" + selector + "','Calldata':" + list(calldata) + "}";
    }

    private static String list(String... values) {
        return values.length == 0 ? "[]" : "['" + String.join("','", values) + "']";
    }

    /** A message of revision 1 with one struct. */
    static String message(String type, String fields, String values) {
        return message(type, fields, "", values, DOMAIN_TYPE, DOMAIN);
    }

    /** A message. Fields are written as {@code name:type}, with commas between them. */
    static String message(
            String type, String fields, String moreTypes, String values, String domainType, String domain) {
        return "{'types':{" + domainType + ",'" + type + "':" + fields(fields) + moreTypes + "},'primaryType':'" + type
                + "','domain':" + domain + ",'message':{" + values + "}}";
    }

    static String fields(String fields) {
        List<String> written = List.of(fields.split(",")).stream()
                .map(field -> "{'name':'" + field.split(":")[0] + "','type':'" + field.split(":")[1] + "'}")
                .toList();
        return "[" + String.join(",", written) + "]";
    }

    static String u256(String low, String high) {
        return "{'low':'" + low + "','high':'" + high + "'}";
    }
}
