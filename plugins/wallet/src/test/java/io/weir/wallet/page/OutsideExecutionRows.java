package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.ACCOUNT;
import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static io.weir.wallet.page.TypedMessages.ANYBODY;
import static io.weir.wallet.page.TypedMessages.ANY_FELT;
import static io.weir.wallet.page.TypedMessages.ITSELF;
import static io.weir.wallet.page.TypedMessages.LATER;
import static io.weir.wallet.page.TypedMessages.MAX_WORD;
import static io.weir.wallet.page.TypedMessages.POOL;
import static io.weir.wallet.page.TypedMessages.STRK;
import static io.weir.wallet.page.TypedMessages.UNLIMITED;
import static io.weir.wallet.page.TypedMessages.first;
import static io.weir.wallet.page.TypedMessages.firstCall;
import static io.weir.wallet.page.TypedMessages.namedCall;
import static io.weir.wallet.page.TypedMessages.padded;
import static io.weir.wallet.page.TypedMessages.row;
import static io.weir.wallet.page.TypedMessages.second;
import static io.weir.wallet.page.TypedMessages.secondCall;
import static io.weir.wallet.page.TypedMessages.secondOf;

import io.weir.l2.Felt;
import io.weir.l2.hash.Selector;
import io.weir.wallet.page.TypedMessages.Row;
import java.util.List;
import java.util.stream.IntStream;

/** Outside executions of both versions, each with the words that its page must show. Immutable. */
final class OutsideExecutionRows {
    private static final String TRANSFER = firstCall(STRK, "transfer", "0x7", "1500000000000000000", "0");
    private static final String APPROVE = firstCall(STRK, "approve", "0x9", MAX_WORD, MAX_WORD);
    private static final String USDC = secondCall(TOKEN, "transfer", "0x7", "0x16e360", "0x0");
    private static final String MOVED =
            "Transfers 1.5 STRK (known by its address) = 1500000000000000000 of the smallest unit to " + padded("0x7");

    static final List<Row> ALL = List.of(
            row(
                    "version 1: one call, for anybody by the text",
                    first("ANY_CALLER", "1800000000", "1800086400", TRANSFER),
                    List.of(
                            ANYBODY + " this call for the account, after 2027-01-15T08:00:00Z, until"
                                    + " 2027-01-16T08:00:00Z.",
                            MOVED,
                            "transfer 1.5 STRK to " + padded("0x7")),
                    LATER),
            row(
                    "version 1: one call, for anybody by the felt",
                    first(ANY_FELT, "1", "'0x6b5d1a00'", TRANSFER),
                    List.of(ANYBODY + " this call for the account, from now, until 2027-01-29T23:00:16Z.", MOVED),
                    LATER),
            row(
                    "version 1: two calls, of which one is an allowance without a limit",
                    first("ANY_CALLER", "1", "1800086400", TRANSFER, APPROVE),
                    List.of(
                            ANYBODY + " these 2 calls for the account",
                            "Call 1 of 2",
                            MOVED,
                            "Call 2 of 2",
                            "Allows " + padded("0x9")
                                    + " to take everything, without a limit, now and later: any amount of STRK",
                            "approve without limit STRK for " + padded("0x9")),
                    LATER,
                    UNLIMITED),
            row(
                    "version 1: a time that is over",
                    first("ANY_CALLER", "1", "1700086400", TRANSFER),
                    List.of(
                            "Anybody (ANY_CALLER) could submit this call until 2023-11-15T22:13:20Z. This time is over.",
                            MOVED),
                    LATER),
            row(
                    "version 1: a named caller, and no end",
                    first("0xca11", "0", "'0xffffffffffffffff'", TRANSFER),
                    List.of(
                            "Only " + padded("0xca11")
                                    + " may submit this call for the account, from now, without an end.",
                            MOVED),
                    LATER),
            row(
                    "version 1: a start that never comes",
                    first("0xca11", "'0xffffffffffffffff'", "'0xffffffffffffffff'", TRANSFER),
                    List.of("after a time that never comes, without an end."),
                    LATER),
            row(
                    "version 2: one call, for anybody",
                    second(ANY_FELT, "1800000000", "1800086400", USDC),
                    List.of(
                            ANYBODY + " this call for the account, after 2027-01-15T08:00:00Z, until"
                                    + " 2027-01-16T08:00:00Z.",
                            "Transfers 1.5 USDC (named by the contract) = 1500000 of the smallest unit to "
                                    + padded("0x7"),
                            "transfer 1.5 USDC to " + padded("0x7") + ", token " + TOKEN.toPaddedHex()
                                    + " (symbol and decimals named by the contract)"),
                    LATER),
            row(
                    "version 2: a named caller",
                    second("0xca11", "1", "1800086400", USDC),
                    List.of("Only " + padded("0xca11") + " may submit this call for the account, from now, until"),
                    LATER),
            row(
                    "version 2: a selector that is written as a name",
                    second(ANY_FELT, "1", "2", namedCall(TOKEN, "transfer", "0x7", "0x16e360", "0x0")),
                    List.of("Transfers 1.5 USDC (named by the contract)", "Function transfer"),
                    LATER),
            row(
                    "version 2: several calls, one of a class that is known",
                    second(
                            ANY_FELT,
                            "1",
                            "1800086400",
                            secondCall(TOKEN, "approve", "0x9001", "0xf4240", "0x0"),
                            secondCall(POOL, "swap", "0xf4240", "0x0", ACCOUNT.toHex())),
                    List.of(
                            "Allows " + padded("0x9001") + " to take 1 USDC (named by the contract)",
                            "Function swap",
                            "amount_in (u256) 1000000",
                            "to (ContractAddress) 0xacc",
                            "swap at " + POOL.toPaddedHex()),
                    LATER),
            row(
                    "version 2: a contract without a class shows its selector and the elements",
                    second(ANY_FELT, "1", "1800086400", secondCall(Felt.parseHex("0xdead"), "drain", "0x10")),
                    List.of(
                            "Function " + Selector.of("drain").toHex(),
                            "[0] (felt) 0x10 = 16",
                            Selector.of("drain").toHex() + " at " + padded("0xdead")),
                    LATER),
            row(
                    "version 2: a transfer from somebody else",
                    second(ANY_FELT, "1", "2", secondCall(STRK, "transfer_from", "0x3", "0x7", "0x1", "0x0")),
                    List.of(
                            "transfer_from 0.000000000000000001 STRK from " + padded("0x3") + " to " + padded("0x7"),
                            "Transfers 0.000000000000000001 STRK"),
                    LATER),
            row(
                    "version 2: a call of the account itself",
                    second(ANY_FELT, "1", "1800086400", secondCall(ACCOUNT, "upgrade", "0x1")),
                    List.of("the account itself"),
                    ITSELF,
                    LATER),
            row(
                    "version 2: a function that the class of the contract lacks",
                    second(ANY_FELT, "1", "2", secondCall(POOL, "drain", "0x1")),
                    List.of("Function " + Selector.of("drain").toHex()),
                    LATER,
                    "The class of the contract " + POOL.toPaddedHex() + " is known. It has no function "
                            + Selector.of("drain").toHex() + "."),
            row(
                    "version 2: nine tokens and an allowance without a limit",
                    second(
                            ANY_FELT,
                            "1",
                            "1800086400",
                            IntStream.range(0, 10)
                                    .mapToObj(i -> i < 9
                                            ? secondCall(Felt.of(1000 + i), "transfer", "0x7", "0x5", "0x0")
                                            : secondCall(STRK, "approve", "0x9", MAX_WORD, MAX_WORD))
                                    .toArray(String[]::new)),
                    List.of(
                            ANYBODY + " these 10 calls for the account",
                            "Call 9 of 10",
                            "Transfers 5 of the smallest unit of a token whose symbol and decimals are not known to "
                                    + padded("0x7"),
                            "transfer 5 units to " + padded("0x7") + ", token "
                                    + Felt.of(1008).toPaddedHex() + " (symbol and decimals not known)",
                            "approve without limit STRK for " + padded("0x9")),
                    LATER,
                    UNLIMITED),
            row(
                    "version 2: a domain whose name is written as a number",
                    secondOf(
                            "'0x4163636f756e742e657865637574655f66726f6d5f6f757473696465'",
                            "selector",
                            ANY_FELT,
                            "1",
                            "1800086400",
                            USDC),
                    List.of(ANYBODY, "Transfers 1.5 USDC"),
                    LATER),
            row(
                    "version 2: no call at all",
                    second(ANY_FELT, "1", "1800086400"),
                    List.of(ANYBODY + " these 0 calls"),
                    LATER));

    private OutsideExecutionRows() {}
}
