package io.weir.upstream.verdict;

import static io.weir.upstream.verdict.ErrorClass.CLIENT_MISTAKE;
import static io.weir.upstream.verdict.ErrorClass.CREDENTIALS;
import static io.weir.upstream.verdict.ErrorClass.LACKS_DATA;
import static io.weir.upstream.verdict.ErrorClass.NODE_FAULT;
import static io.weir.upstream.verdict.ErrorClass.UNKNOWN;
import static io.weir.upstream.verdict.ErrorClass.UNSUPPORTED;
import static io.weir.upstream.verdict.ErrorRow.QUOTING;
import static io.weir.upstream.verdict.ErrorRow.row;

import java.util.List;

/**
 * Rows of the error table about the node itself: data and methods that it lacks, credentials that it refuses, and its faults. They
 * follow the rows about executions and limits. Immutable.
 */
final class NodeRows {

    private static final String[] NOT_SUPPORTED = {"not supported", "not implemented"};

    private NodeRows() {}

    /** Adds these rows in their order. */
    static void addTo(List<ErrorRow> rows) {
        data(rows);
        methods(rows);
        faults(rows);
    }

    private static void data(List<ErrorRow> rows) {
        rows.add(row(LACKS_DATA, "history pruned").codes(4444));
        rows.add(row(LACKS_DATA, "state or history not kept")
                .words(
                        "missing trie node",
                        "state * not available",
                        "state * unavailable",
                        "state * is pruned",
                        "no state available",
                        "no state at block",
                        "historical state",
                        "pruned",
                        "purged",
                        "history * unavailable",
                        "history * not available",
                        "state histories * indexed"));
        rows.add(row(LACKS_DATA, "not there yet")
                .words(
                        "transaction indexing is in progress",
                        "initial sync",
                        "finalized * not found",
                        "safe * not found",
                        "pending * not found",
                        "finalized * not available",
                        "safe * not available",
                        "pending * not available"));
        rows.add(row(LACKS_DATA, "code of an unknown block").codes(-39001).findsNothing());
        rows.add(row(LACKS_DATA, "unknown block or transaction")
                .words(
                        "header not found",
                        "header for hash not found",
                        "block not found",
                        "block * not found",
                        "unknown block",
                        "could not find block",
                        "blockoutofrangeerror",
                        "received invalid block tag",
                        "blockhash cannot be found",
                        "unable to find a block",
                        "transaction not found",
                        "transaction * not found",
                        "unknown transaction",
                        "uncle not found",
                        "resource not found")
                .findsNothing());
    }

    private static void methods(List<ErrorRow> rows) {
        rows.add(row(UNSUPPORTED, "code of an unknown method").codes(-32601, -32604));
        rows.add(row(UNSUPPORTED, "HTTP 405, 415").statuses(405, 415));
        rows.add(row(CLIENT_MISTAKE, "logs of a block in the making").words("pending logs"));
        rows.add(row(UNSUPPORTED, "method not served")
                .words(
                        "does not exist/is not available",
                        "method not found",
                        "method * not found",
                        "not whitelisted",
                        "method * not supported",
                        "unsupported method",
                        "method * not implemented",
                        "namespace * disabled",
                        "method * disabled"));
        rows.add(row(UNSUPPORTED, "code of an unsupported method").codes(-32004));
        rows.add(row(UNSUPPORTED, "not supported, perhaps by its name")
                .words(NOT_SUPPORTED)
                .where(error -> error.namesMethod() || error.beginsWith(NOT_SUPPORTED)));
        rows.add(row(UNKNOWN, "something else than the method is not supported").words(NOT_SUPPORTED));
        rows.add(row(CREDENTIALS, "code of credentials").codes(-40100));
        rows.add(row(CREDENTIALS, "key or account refused")
                .codes(-32600, -32000, -32001)
                .words(
                        "must be authenticated",
                        "access key",
                        "invalid api key",
                        "api key",
                        "key is inactive",
                        "invalid project id",
                        "unauthorized"));
    }

    private static void faults(List<ErrorRow> rows) {
        rows.add(row(NODE_FAULT, "codes of the node's own failure").codes(-32603, -32002, -32016, -32017));
        rows.add(row(NODE_FAULT, "time ran out, or something broke")
                .notCodes(QUOTING)
                .words(
                        "execution timeout",
                        "execution aborted",
                        "timed out",
                        "timeout",
                        "deadline exceeded",
                        "crashed",
                        "handler crashed",
                        "database",
                        "leveldb",
                        "internal",
                        "connection refused",
                        "connection reset",
                        "unexpected eof",
                        "no backend",
                        "temporarily unavailable",
                        "service unavailable",
                        "bad gateway",
                        "unable to complete request"));
    }
}
