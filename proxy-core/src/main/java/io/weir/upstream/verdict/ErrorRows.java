package io.weir.upstream.verdict;

import static io.weir.upstream.verdict.ErrorClass.CLIENT_MISTAKE;
import static io.weir.upstream.verdict.ErrorClass.CREDENTIALS;
import static io.weir.upstream.verdict.ErrorClass.EXECUTION_VERDICT;
import static io.weir.upstream.verdict.ErrorClass.LACKS_DATA;
import static io.weir.upstream.verdict.ErrorClass.NODE_FAULT;
import static io.weir.upstream.verdict.ErrorClass.RATE_LIMITED;
import static io.weir.upstream.verdict.ErrorClass.TOO_LARGE;
import static io.weir.upstream.verdict.ErrorClass.UNKNOWN;
import static io.weir.upstream.verdict.ErrorClass.UNSUPPORTED;

import io.weir.method.DataKind;
import io.weir.method.MethodPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Rows of the error table, in the order in which they are tried. A new wording of a node is one more phrase here. Immutable. */
final class ErrorRows {

    /** Phrases about a transaction that the node already has. */
    static final String[] KNOWN_TRANSACTION = {
        "already known",
        "alreadyknown",
        "known transaction",
        "already imported",
        "already exists",
        "already in",
        "same hash"
    };

    /**
     * Codes of the envelope. Nodes quote the call in messages under them. Words that a client could have put there must not
     * turn such an error into a rate limit, a revert or a fault.
     */
    private static final Set<Integer> QUOTING = Set.of(-32700, -32601, -32602, -32604);

    private static final Wording RATE = Wording.of(
            "rate", "request count", "credits", "quota", "capacity", "compute units", "billing", "plan", "requests");

    private static final String[] NOT_SUPPORTED = {"not supported", "not implemented"};

    private ErrorRows() {}

    /** Returns every row, in order. The last one matches everything. */
    static List<ErrorRow> all() {
        List<ErrorRow> rows = new ArrayList<>();
        executions(rows);
        transactions(rows);
        pools(rows);
        sizes(rows);
        searches(rows);
        rates(rows);
        data(rows);
        methods(rows);
        faults(rows);
        mistakes(rows);
        return List.copyOf(rows);
    }

    private static void executions(List<ErrorRow> rows) {
        rows.add(row(CREDENTIALS, "HTTP 401, 403").where(error -> ErrorTable.ofStatus(error.status()) == CREDENTIALS));
        // These codes have no other meaning, whatever the words say.
        rows.add(row(RATE_LIMITED, "code 429, 402").where(error -> ErrorTable.isRateLimit(error.code())));
        rows.add(row(EXECUTION_VERDICT, "code 3: reverted").codes(3).where(ErrorRows::mayRevert));
        rows.add(row(EXECUTION_VERDICT, "revert payload").notCodes(QUOTING).where(RevertError::isRevertPayload));
        // The caller asked for this check with requireCanonical, so this is the answer and no lack of data.
        rows.add(row(CLIENT_MISTAKE, "block is not canonical").words("hash is not currently canonical"));
        rows.add(row(EXECUTION_VERDICT, "reverted")
                .notCodes(QUOTING)
                .words("execution reverted, vm exception, vm execution error, reverted, revert:, "
                        + "simulation failed"));
        rows.add(row(EXECUTION_VERDICT, "halted")
                .notCodes(QUOTING)
                .words("out of gas, gas required exceeds, intrinsic gas, requires at least * gas, evm error, "
                        + "invalid opcode, bad instruction, bad jump destination, invalid jump, stack underflow, "
                        + "stack overflow, stack limit reached, max code size, max initcode size, "
                        + "max init code size, write protection, gas uint64 overflow"));
        rows.add(
                row(RATE_LIMITED, "HTTP 429, 402").where(error -> ErrorTable.ofStatus(error.status()) == RATE_LIMITED));
    }

    /** Returns whether a call may execute code. No lookup does, so code 3 has another meaning there. */
    private static boolean mayRevert(NodeError error) {
        boolean traces = error.facts().dataKind() == DataKind.TRACES;
        return error.facts().executes()
                || traces
                || !error.facts().known()
                || !error.facts().repeatable();
    }

    /**
     * Matches the groups of codes that Ethereum's own list defines. Other kinds of network give them other meanings, and balancers
     * number their own errors likewise, so any words that say more count first.
     */
    private static boolean hasCodeOfExecution(NodeError error) {
        int code = error.code();
        boolean listed = (code > 0 && code < 200) || (code >= 800 && code < 1200) || (code <= -38010 && code >= -38025);
        return listed
                && MethodPattern.isOfEthereum(error.method())
                && (error.facts().executes() || isOfSending(error));
    }

    /** Adds rows by words. Besu has its own codes for these cases, which mean other things elsewhere. */
    private static void transactions(List<ErrorRow> rows) {
        rows.add(row(EXECUTION_VERDICT, "funds, nonce or price")
                .notCodes(Set.of(-32601, -32604))
                .words("insufficient funds, insufficient balance, upfront cost exceeds, nonce too, nonce is too, "
                        + "invalid nonce, nonce has already, fee cap, max fee per gas, max priority fee per gas, "
                        + "maxpriorityfeepergas, max_priority_fee_per_gas, gas price, gas limit, gas exceeds, "
                        + "exceeds the configured cap, underpriced, fee too low, sender not an eoa, "
                        + "sender is not an eoa, sender account not authorized, invalid signature, invalid sender, "
                        + "transaction type not supported, only replay-protected"));
    }

    private static void pools(List<ErrorRow> rows) {
        rows.add(row(EXECUTION_VERDICT, "known transaction")
                .notCodes(QUOTING)
                .where(ErrorRows::isOfSending)
                .words(KNOWN_TRANSACTION));
        rows.add(row(EXECUTION_VERDICT, "transaction pool")
                .notCodes(QUOTING)
                .where(ErrorRows::isOfSending)
                .words("txpool is full, transaction pool, pool is full, account limit exceeded, oversized data, "
                        + "tx rejected, transaction rejected"));
        rows.add(row(EXECUTION_VERDICT, "code of rejection")
                .where(ErrorRows::isOfSending)
                .codes(-32003, -32010));
    }

    private static boolean isOfSending(NodeError error) {
        return error.facts().writes();
    }

    /** Adds rows of sizes. They precede the rate limits, because some of these errors speak of limits too. */
    private static void sizes(List<ErrorRow> rows) {
        rows.add(row(LACKS_DATA, "range beyond the head").words("beyond current head", "beyond head block"));
        rows.add(row(CLIENT_MISTAKE, "range that is none").words("invalid block range"));
        rows.add(row(TOO_LARGE, "HTTP 413").where(error -> error.status() == 413));
        rows.add(row(TOO_LARGE, "code of size").codes(-32614));
        rows.add(row(TOO_LARGE, "range, batch or answer too large")
                .words("block range, blocks range, range is too, range too, range limit, range exceeds, "
                        + "range allowed, number of requested blocks, max range, too many blocks, exceeds max, "
                        + "exceed max, exceeded max limit, returned more than, query exceeds, "
                        + "query timeout exceeded, matched by query exceeds, result set too large, response size, "
                        + "response too large, response is too big, size limit, batch too large, batch size, "
                        + "max addresses, too many topics, limited to a, payload too large, entity too large"));
    }

    /** Adds a row of limits that any caller's search can exceed. */
    private static void searches(List<ErrorRow> rows) {
        rows.add(row(TOO_LARGE, "search that takes too much")
                .where(error -> error.facts().searches())
                .words("range * exceed, ranges over, range greater, range of blocks, range to fetch, "
                        + "exceeds the range, blocks distance, limited to * block, limit the query, "
                        + "query must be smaller, response size, too many results, too many logs, results than, "
                        + "exceeded max, timed out, timeout, deadline exceeded"));
    }

    private static void rates(List<ErrorRow> rows) {
        rows.add(row(RATE_LIMITED, "rate, in so many words")
                .notCodes(QUOTING)
                .words("rate limit, rate-limit, ratelimit, too many requests, requests per second, "
                        + "compute units per second, request limit reached, throttled, error code: 1015, "
                        + "over capacity"));
        rows.add(row(RATE_LIMITED, "limit, credits or plan")
                .where(error -> !isLimitOfSearch(error))
                .codes(-32005, -32007, -32009, -32012, -32016, -32000, -32600)
                .words("rate, limit exceeded, limited exceeded, request count exceeded, credits, quota, "
                        + "capacity, compute units, billing, plan"));
        rows.add(row(TOO_LARGE, "limit of another kind").codes(-32005));
    }

    /** Matches BSC's nodes, which say only {@code limit exceeded} about a range of logs. Any caller can cause that. */
    private static boolean isLimitOfSearch(NodeError error) {
        return error.code() == -32005 && error.facts().searches() && !error.says(RATE);
    }

    private static void data(List<ErrorRow> rows) {
        rows.add(row(LACKS_DATA, "history pruned").codes(4444));
        rows.add(row(LACKS_DATA, "state or history not kept")
                .words("missing trie node, state * not available, state * unavailable, state * is pruned, "
                        + "no state available, no state at block, historical state, pruned, purged, "
                        + "history * unavailable, history * not available, state histories * indexed"));
        rows.add(row(LACKS_DATA, "not there yet")
                .words("transaction indexing is in progress, initial sync, finalized * not found, "
                        + "safe * not found, pending * not found, finalized * not available, safe * not available, "
                        + "pending * not available"));
        rows.add(row(LACKS_DATA, "code of an unknown block").codes(-39001).findsNothing());
        rows.add(row(LACKS_DATA, "unknown block or transaction")
                .words("header not found, header for hash not found, block not found, block * not found, "
                        + "unknown block, could not find block, blockoutofrangeerror, received invalid block tag, "
                        + "blockhash cannot be found, unable to find a block, transaction not found, "
                        + "transaction * not found, unknown transaction, uncle not found, resource not found")
                .findsNothing());
    }

    /** Adds rows about methods that the node lacks, and about credentials that it refuses. */
    private static void methods(List<ErrorRow> rows) {
        rows.add(row(UNSUPPORTED, "code of an unknown method").codes(-32601, -32604));
        rows.add(row(UNSUPPORTED, "HTTP 405, 415").where(error -> error.status() == 405 || error.status() == 415));
        rows.add(row(CLIENT_MISTAKE, "logs of a block in the making").words("pending logs"));
        rows.add(row(UNSUPPORTED, "method not served")
                .words("does not exist/is not available, method not found, method * not found, not whitelisted, "
                        + "method * not supported, unsupported method, method * not implemented, "
                        + "namespace * disabled, method * disabled"));
        rows.add(row(UNSUPPORTED, "code of an unsupported method").codes(-32004));
        rows.add(row(UNSUPPORTED, "not supported, perhaps by its name")
                .words(NOT_SUPPORTED)
                .where(error -> error.namesMethod() || error.beginsWith(NOT_SUPPORTED)));
        rows.add(row(UNKNOWN, "something else than the method is not supported").words(NOT_SUPPORTED));
        rows.add(row(CREDENTIALS, "code of credentials").codes(-40100));
        rows.add(row(CREDENTIALS, "key or account refused")
                .codes(-32600, -32000, -32001)
                .words("must be authenticated, access key, invalid api key, api key, key is inactive, "
                        + "invalid project id, unauthorized"));
    }

    private static void faults(List<ErrorRow> rows) {
        rows.add(row(NODE_FAULT, "codes of the node's own failure").codes(-32603, -32002, -32016, -32017));
        rows.add(row(NODE_FAULT, "time ran out, or something broke")
                .notCodes(QUOTING)
                .words("execution timeout, execution aborted, timed out, timeout, deadline exceeded, crashed, "
                        + "handler crashed, database, leveldb, internal, connection refused, connection reset, "
                        + "unexpected eof, no backend, temporarily unavailable, service unavailable, bad gateway, "
                        + "unable to complete request"));
    }

    private static void mistakes(List<ErrorRow> rows) {
        rows.add(row(EXECUTION_VERDICT, "code of execution").where(ErrorRows::hasCodeOfExecution));
        rows.add(row(CLIENT_MISTAKE, Verdict.MISTAKES_BY_CODE)
                .codes(-32700, -32600, -32602)
                // A balancer in trouble calls anything a wrong request, but not the parameters.
                .where(error -> error.status() < 500 || error.code() == -32602));
        rows.add(row(NODE_FAULT, "HTTP 5xx").where(error -> ErrorTable.ofStatus(error.status()) == NODE_FAULT));
        rows.add(row(CLIENT_MISTAKE, "filter or subscription is lost")
                .words("filter not found, subscription not found"));
        rows.add(row(CLIENT_MISTAKE, "something invalid")
                .words("invalid, cannot unmarshal, missing value, too many arguments, hex string, storage key, "
                        + "unknown key, cannot send both, cannot specify both, contract creation without"));
        rows.add(row(UNKNOWN, "any other answer"));
    }

    private static ErrorRow row(ErrorClass errorClass, String name) {
        return new ErrorRow(name, errorClass, Wording.ANY, error -> true, false);
    }

    /**
     * Row of the error table: all conditions on an error, and the class that follows from them. Immutable.
     *
     * @param name what the row recognises
     * @param wording phrases in message or data; {@link Wording#ANY} if they do not matter
     * @param when the other conditions
     * @param nothingFound whether the node says that the requested object does not exist
     */
    record ErrorRow(
            String name, ErrorClass errorClass, Wording wording, Predicate<NodeError> when, boolean nothingFound) {

        private ErrorRow codes(Integer... only) {
            Set<Integer> codes = Set.of(only);
            return where(error -> codes.contains(error.code()));
        }

        private ErrorRow notCodes(Set<Integer> excluded) {
            return where(error -> !excluded.contains(error.code()));
        }

        private ErrorRow where(Predicate<NodeError> condition) {
            return new ErrorRow(name, errorClass, wording, when.and(condition), nothingFound);
        }

        /** @param phrases each one, or several with commas between them */
        private ErrorRow words(String... phrases) {
            String[] single = String.join(", ", phrases).split(", ");
            return new ErrorRow(name, errorClass, Wording.of(single), when, nothingFound);
        }

        private ErrorRow findsNothing() {
            return new ErrorRow(name, errorClass, wording, when, true);
        }

        boolean matches(NodeError error) {
            return when.test(error) && (wording.isAny() || wordsCount(error)) && error.says(wording);
        }

        /** Ignores words under a method name that the caller invented. The caller may have caused them, so they say nothing about the node. */
        private boolean wordsCount(NodeError error) {
            return errorClass.effect() == Verdict.Effect.ANSWERED || error.isOfKnownMethods();
        }
    }
}
