package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static io.weir.wallet.page.TypedMessages.ANY_FELT;
import static io.weir.wallet.page.TypedMessages.DOMAIN;
import static io.weir.wallet.page.TypedMessages.DOMAIN_TYPE;
import static io.weir.wallet.page.TypedMessages.LATER;
import static io.weir.wallet.page.TypedMessages.MAX_WORD;
import static io.weir.wallet.page.TypedMessages.OLD_DOMAIN_TYPE;
import static io.weir.wallet.page.TypedMessages.POOL;
import static io.weir.wallet.page.TypedMessages.SIGN_IN;
import static io.weir.wallet.page.TypedMessages.STRK;
import static io.weir.wallet.page.TypedMessages.UNKNOWN;
import static io.weir.wallet.page.TypedMessages.UNLIMITED;
import static io.weir.wallet.page.TypedMessages.counted;
import static io.weir.wallet.page.TypedMessages.fields;
import static io.weir.wallet.page.TypedMessages.firstCall;
import static io.weir.wallet.page.TypedMessages.hostile;
import static io.weir.wallet.page.TypedMessages.message;
import static io.weir.wallet.page.TypedMessages.padded;
import static io.weir.wallet.page.TypedMessages.row;
import static io.weir.wallet.page.TypedMessages.second;
import static io.weir.wallet.page.TypedMessages.secondCall;
import static io.weir.wallet.page.TypedMessages.secondOf;
import static io.weir.wallet.page.TypedMessages.u256;

import io.weir.wallet.page.TypedMessages.Row;
import java.util.Collections;
import java.util.List;

/** Permits, sign-ins, orders, unknown messages and those of attackers, each with the words that its page must show. Immutable. */
final class OtherMessageRows {
    private static final String OPEN =
            "token:ContractAddress,spender:ContractAddress,amount:u256,nonce:felt,deadline:u128";
    private static final String USUAL =
            "'token':'0x70ce','spender':'0x9','nonce':'0x1','deadline':'1800000000','amount':";
    private static final String OLD =
            "owner:ContractAddress,spender:ContractAddress,value:u128,nonce:felt,deadline:timestamp";
    private static final String OLD_VALUES =
            "'owner':'0xacc','spender':'0x9','value':'5','nonce':'0x1','deadline':'1800000000'";
    private static final String FLAG =
            "holder:ContractAddress,spender:ContractAddress,nonce:felt,expiry:timestamp,allowed:bool";
    private static final String FLAG_VALUES =
            "'holder':'0xacc','spender':'0x9','nonce':'1','expiry':'1800000000','allowed':";
    private static final String CONTRACT = DOMAIN.replace("}", ",'verifyingContract':'" + STRK.toHex() + "'}");
    private static final String CONTRACT_TYPE =
            DOMAIN_TYPE.replace("]", ",{'name':'verifyingContract','type':'ContractAddress'}]");
    private static final String EVERYTHING =
            "Allows " + padded("0x9") + " to take everything, without a limit, now and later: any amount of ";

    static final List<Row> PERMITS = List.of(
            row(
                    "permit with a token, a spender and an amount",
                    message("Permit", OPEN, USUAL + u256("0x4c4b40", "0x0")),
                    List.of(
                            "Allows " + padded("0x9")
                                    + " to take 5 USDC (named by the contract) = 5000000 of the smallest unit",
                            "Others may take tokens of the account:",
                            "permit 5 USDC for " + padded("0x9") + ", token " + TOKEN.toPaddedHex()),
                    LATER),
            row(
                    "permit with a second payment under other names",
                    message(
                            "Permit",
                            "spender:felt,value:u128,recipient:felt,max_total:u128",
                            "'spender':'0x9','value':'0','recipient':'0xbad','max_total':'7000000'"),
                    List.of("a token that the message does not name"),
                    LATER + ": it is an allowance. The message holds more than the wallet knows: read it all."),
            row(
                    "permit that calls itself a sign-in",
                    message(
                            "Login",
                            "token:felt,spender:felt,amount:u128",
                            "'token':'0x70ce','spender':'0x9','amount':'5000000'"),
                    List.of("Allows " + padded("0x9") + " to take 5 USDC"),
                    LATER),
            row(
                    "permit without a limit",
                    message("Permit", OPEN, USUAL + u256(MAX_WORD, MAX_WORD)),
                    List.of(
                            EVERYTHING + "USDC (named by the contract)",
                            "permit without limit USDC for " + padded("0x9")),
                    LATER,
                    UNLIMITED),
            row(
                    "permit of the largest number of 128 bits",
                    message("Permit", OPEN, USUAL + u256(MAX_WORD, "0x0")),
                    List.of(EVERYTHING + "USDC"),
                    LATER,
                    UNLIMITED),
            row(
                    "permit of a number that is just not without a limit",
                    message("Permit", OPEN, USUAL + u256("0x7fffffffffffffffffffffffffffffff", "0x0")),
                    List.of("to take 170141183460469231731687303715884.105727 USDC"),
                    LATER),
            row(
                    "permit whose domain names the token",
                    message("Permit", OLD, "", OLD_VALUES, CONTRACT_TYPE, CONTRACT),
                    List.of(
                            "Allows " + padded("0x9") + " to take 0.000000000000000005 STRK (known by its address)",
                            "permit 0.000000000000000005 STRK for " + padded("0x9")),
                    LATER),
            row(
                    "permit that names no token",
                    message("Permit", OLD, OLD_VALUES),
                    List.of(
                            "to take 5 of the smallest unit of a token that the message does not name",
                            "permit 5 units for " + padded("0x9") + ", token not named"),
                    LATER),
            row(
                    "permit with a flag in place of an amount",
                    message("Permit", FLAG, "", FLAG_VALUES + "true", CONTRACT_TYPE, CONTRACT),
                    List.of(EVERYTHING + "STRK"),
                    LATER,
                    UNLIMITED),
            row(
                    "permit with a flag that takes it back",
                    message("Permit", FLAG, "", FLAG_VALUES + "false", CONTRACT_TYPE, CONTRACT),
                    List.of("to take 0 STRK"),
                    LATER),
            row(
                    "permit with the amount in a struct of its own",
                    message(
                            "PermitSingle",
                            "details:PermitDetails,spender:ContractAddress,sigDeadline:timestamp",
                            ",'PermitDetails':"
                                    + fields("token:ContractAddress,amount:u128,expiration:timestamp,nonce:u128"),
                            "'details':{'token':'0x70ce','amount':'7000000','expiration':'1','nonce':'1'},"
                                    + "'spender':'0x9','sigDeadline':'1800000000'",
                            DOMAIN_TYPE,
                            DOMAIN),
                    List.of("Allows " + padded("0x9") + " to take 7 USDC"),
                    LATER),
            row(
                    "permit of several tokens",
                    message(
                            "PermitBatch",
                            "spender:ContractAddress,permitted:TokenAmount*",
                            "'spender':'0x9','permitted':[{'token_address':'0x70ce','amount':"
                                    + u256("0xf4240", "0x0") + "},{'token_address':'" + STRK.toHex()
                                    + "','amount':" + u256(MAX_WORD, MAX_WORD) + "}]"),
                    List.of("Call 2 of 2", "to take 1 USDC", EVERYTHING + "STRK"),
                    LATER,
                    UNLIMITED),
            row(
                    "allowance of revision 0",
                    message(
                            "Approve",
                            "token_address:felt,Spender:felt,amount:Uint",
                            ",'Uint':" + fields("low:felt,high:felt"),
                            "'token_address':'" + STRK.toHex() + "','Spender':'0x9','amount':"
                                    + u256("0xde0b6b3a7640000", "0"),
                            OLD_DOMAIN_TYPE,
                            "{'name':'shop','version':'1','chainId':'SN_SEPOLIA'}"),
                    List.of(
                            "Allows " + padded("0x9") + " to take 1 STRK (known by its address)",
                            "permit 1 STRK for " + padded("0x9")),
                    LATER),
            row(
                    "allowance under the words of another application",
                    message(
                            "Allowance",
                            "asset:ContractAddress,operator:ContractAddress,limit:felt",
                            "'asset':'" + STRK.toHex()
                                    + "','operator':'0x9','limit':'0x80000000000000000000000000000000'"),
                    List.of(EVERYTHING + "STRK"),
                    LATER,
                    UNLIMITED));

    private static final String SIGN_IN_FIELDS =
            "statement:string,address:ContractAddress,nonce:felt,issued_at:timestamp";
    private static final String SIGN_IN_VALUES =
            "'statement':'Sign in to the shop','address':'ADDRESS','nonce':'0x123456','issued_at':'1800000000'";

    static final List<Row> SIGN_INS = List.of(
            row(
                    "sign-in",
                    message("SignIn", SIGN_IN_FIELDS, SIGN_IN_VALUES.replace("ADDRESS", "0xacc")),
                    List.of(SIGN_IN)),
            row(
                    "sign-in of revision 0",
                    message(
                            "Login",
                            "text:felt,nonce:felt",
                            "",
                            "'text':'hello','nonce':'77'",
                            OLD_DOMAIN_TYPE,
                            "{'name':'shop','version':'1','chainId':'SN_SEPOLIA'}"),
                    List.of(SIGN_IN)),
            row(
                    "sign-in with the address of another contract",
                    message("SignIn", SIGN_IN_FIELDS, SIGN_IN_VALUES.replace("ADDRESS", "0xdead")),
                    List.of("This is not known."),
                    UNKNOWN),
            row(
                    "sign-in with a number",
                    message("Login", "text:string,fee:u128", "'text':'hello','fee':'5'"),
                    List.of(),
                    UNKNOWN),
            row(
                    "sign-in that hides a number in a text",
                    message("Login", "text:shortstring", "'text':'0xdead'"),
                    List.of(),
                    UNKNOWN),
            row(
                    "sign-in with a struct",
                    message(
                            "Login",
                            "nonce:Deep",
                            ",'Deep':" + fields("a:felt"),
                            "'nonce':{'a':'1'}",
                            DOMAIN_TYPE,
                            DOMAIN),
                    List.of(),
                    UNKNOWN));

    static final List<Row> OTHERS = List.of(
            row(
                    "order",
                    message(
                            "Order",
                            "maker:ContractAddress,sell:TokenAmount,buy:TokenAmount,until:timestamp",
                            "'maker':'0xacc','sell':{'token_address':'0x70ce','amount':" + u256("0x1", "0x0")
                                    + "},'buy':{'token_address':'0x2a','amount':" + u256("0x1", "0x0")
                                    + "},'until':'1800000000'"),
                    List.of("Order of shop, version 1, chain SN_SEPOLIA", "token_address ContractAddress 0x70ce"),
                    UNKNOWN),
            row(
                    "session key",
                    message(
                                    "Session",
                                    "key:felt,expires:felt,root:merkletree",
                                    ",'Policy':" + fields("contractAddress:felt,selector:selector"),
                                    "'key':'0x5','expires':'0x1','root':[{'contractAddress':'0x1','selector':'transfer'}]",
                                    OLD_DOMAIN_TYPE,
                                    "{'name':'game','version':'1','chainId':'SN_SEPOLIA'}")
                            .replace("'type':'merkletree'", "'type':'merkletree','contains':'Policy'"),
                    List.of("Session of game, version 1, chain SN_SEPOLIA", "selector selector transfer"),
                    UNKNOWN),
            row(
                    "mail",
                    message("Mail", "from:ContractAddress,contents:string", "'from':'0x1','contents':'Hello'"),
                    List.of("contents string Hello"),
                    UNKNOWN),
            row(
                    "vote",
                    message("Vote", "proposal:felt,choice:u128", "'proposal':'0x1','choice':'2'"),
                    List.of("Vote of shop"),
                    UNKNOWN),
            row(
                    "permit without a spender",
                    message("Permit", "token:ContractAddress,amount:u128", "'token':'0x1','amount':'5'"),
                    List.of(),
                    UNKNOWN),
            row(
                    "outside execution within an unknown type",
                    second(ANY_FELT, "1", "2", secondCall(STRK, "transfer", "0x7", "0x1", "0x0"))
                            .replace("'primaryType':'OutsideExecution'", "'primaryType':'Wrapped'")
                            .replace("'types':{", "'types':{'Wrapped':" + fields("inner:OutsideExecution") + ",")
                            .replace("'message':{", "'message':{'inner':{")
                            .replaceFirst("}$", "}}"),
                    List.of("Wrapped of Account.execute_from_outside, version 2", "Selector selector"),
                    UNKNOWN),
            row(
                    "message of no named application for every chain",
                    message(
                            "Note",
                            "text:felt",
                            "",
                            "'text':'hello'",
                            "'StarkNetDomain':" + fields("version:felt"),
                            "{'version':'1'}"),
                    List.of("Note of no named application, version 1, for every chain"),
                    UNKNOWN));

    private static final String TRANSFER = secondCall(TOKEN, "transfer", "0x7", "0x1", "0x0");
    private static final String MARKUP = "<script>steal</script>";

    static final List<Row> HOSTILE = List.of(
            row(
                    "outside execution with other types",
                    secondOf("'Account.execute_from_outside'", "felt", ANY_FELT, "1", "2", TRANSFER),
                    List.of("This is not known."),
                    UNKNOWN + ": OutsideExecution: unusable (expected: the types of SNIP-9, version 1 or 2)."),
            row(
                    "outside execution that counts its calls wrongly",
                    counted(2, "0x1", "1", "2", firstCall(STRK, "transfer", "0x7", "0x1", "0x0")),
                    List.of(),
                    UNKNOWN + ": calls_len: unusable (expected: the length of the list)."),
            row(
                    "outside execution of too many calls",
                    second(ANY_FELT, "1", "2", Collections.nCopies(33, TRANSFER).toArray(String[]::new)),
                    List.of(),
                    UNKNOWN + ": 33 calls (expected: at most 32)."),
            row(
                    "call data that does not fit the function",
                    second(ANY_FELT, "1", "2", secondCall(POOL, "swap", "0x10")),
                    List.of("Function swap", "[0] (felt) 0x10 = 16"),
                    LATER),
            row(
                    "transfer whose data does not fit",
                    second(ANY_FELT, "1", "2", secondCall(STRK, "transfer", "0x7", "0x1")),
                    List.of("Function transfer", "[1] (felt) 0x1 = 1", "transfer at " + STRK.toPaddedHex()),
                    LATER),
            row(
                    "names with markup",
                    message(MARKUP, "a:string", "'a':'" + MARKUP + "'").replace("shop", "</title><script>"),
                    List.of("&lt;script&gt;steal&lt;/script&gt; of &lt;/title&gt;&lt;script&gt;, version 1"),
                    UNKNOWN),
            row(
                    "long names",
                    message("N".repeat(2000), "a:string", "'a':'b'").replace("shop", "s".repeat(31)),
                    List.of("N".repeat(60) + "… of " + "s".repeat(31)),
                    UNKNOWN),
            row(
                    "a huge list",
                    message(
                            "Items",
                            "items:felt*",
                            "'items':[" + String.join(",", Collections.nCopies(3000, "'0x1'")) + "]"),
                    List.of("[2999] 0x1"),
                    UNKNOWN),
            row(
                    "too many allowances",
                    message(
                            "PermitBatch",
                            "spender:ContractAddress,permitted:TokenAmount*",
                            "'spender':'0x9','permitted':["
                                    + String.join(
                                            ",",
                                            Collections.nCopies(
                                                    33, "{'token_address':'0x1','amount':" + u256("0x1", "0x0") + "}"))
                                    + "]"),
                    List.of(),
                    UNKNOWN + ": 33 calls (expected: at most 32)."),
            row(
                    "permit whose amount is a text",
                    message("Permit", "spender:ContractAddress,amount:string", "'spender':'0x9','amount':'5'"),
                    List.of(),
                    UNKNOWN),
            hostile(
                    "permit with a number that is none",
                    message("Permit", "spender:ContractAddress,amount:u128", "'spender':'0x9','amount':'lots'"),
                    List.of(),
                    UNKNOWN + ": u128: unusable"),
            hostile(
                    "permit whose words are too long",
                    message(
                            "Permit",
                            "spender:ContractAddress,amount:u256",
                            "'spender':'0x9','amount':" + u256("0x1" + "0".repeat(40), "0x0")),
                    List.of(),
                    UNKNOWN),
            hostile(
                    "outside execution whose caller is a list",
                    second("[]", "1", "2", TRANSFER).replace("'[]'", "[]"),
                    List.of(),
                    UNKNOWN + ": ContractAddress: unusable"),
            hostile(
                    "outside execution whose calls are an object",
                    second(ANY_FELT, "1", "2").replace("'Calls':[]", "'Calls':{}"),
                    List.of(),
                    UNKNOWN + ": Calls: unusable (expected: a list)."),
            hostile("no typed data", "{}", List.of(), UNKNOWN),
            hostile(
                    "values within each other",
                    message("Deep", "a:felt", "'a':" + "[".repeat(200) + "1" + "]".repeat(200)),
                    List.of("This is not known."),
                    UNKNOWN));

    private OtherMessageRows() {}
}
