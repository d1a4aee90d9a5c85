package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.plan.CallRecord.Next;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.CallErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The next step of a call after its last outcome. Outcomes stand one after the other. */
class CallRecordTest {

    private final FakePool pool = new FakePool().node("a");

    @ParameterizedTest
    @CsvSource({
        // A fault of the node: a read moves on, a write only if it was not executed.
        "eth_call, SERVER_ERROR, ANOTHER",
        "eth_call, CREDENTIALS, ANOTHER",
        "eth_sendRawTransaction, TIMEOUT, ANSWER",
        "eth_sendRawTransaction, TIMEOUT unsent, ANOTHER",
        "eth_sendRawTransaction, RATE_LIMITED unsent, ANOTHER",
        // A failure that every node would repeat.
        "eth_call, TOO_LARGE, ANSWER",
        "eth_call, OVER_BUDGET, ANSWER",
        "eth_call, UNCHECKED unsent, ANSWER",
        // An answer about the call.
        "eth_call, -32000 execution reverted, ANSWER",
        "eth_call, -32602 invalid argument 0, ANOTHER",
        "eth_call, -32602 invalid argument 0 | -32602 invalid argument 0, ANOTHER",
        // An error in unknown words: one other node is asked.
        "eth_call, -32099 what is this, ANOTHER",
        "eth_call, -32099 what is this | -32099 what is this, ANSWER",
        "eth_sendRawTransaction, -32099 what is this, ANSWER",
        // What the node lacks.
        "eth_call, -32000 missing trie node, ANOTHER",
        "eth_call, -32601 no such method, ANOTHER",
        "eth_sendRawTransaction, -32601 no such method, ANOTHER",
        "eth_sendRawTransaction, -32000 already known, ANSWER",
        "eth_sendRawTransaction, -32000 txpool is full, ANOTHER",
        // A lookup that finds nothing.
        "eth_getBlockByHash, null, AHEAD",
        "eth_getBlockByHash, null | null, ANSWER",
        "eth_getBlockByNumber, null, ANSWER",
        "eth_getBlockByNumber existing, null, ANOTHER",
        "eth_getTransactionByHash, null, AHEAD",
        "eth_getTransactionByHash, null | null, AHEAD",
        "eth_getTransactionByHash, null | SERVER_ERROR, CHECK",
        "eth_getBlockByHash, null | SERVER_ERROR, ANSWER",
        "eth_getTransactionByHash, null | -32000 execution reverted, ANSWER",
    })
    void theNextStepFollowsFromTheOutcomesSoFar(String call, String outcomes, Next next) {
        CallRecord record = record(call);
        Next last = null;
        for (String outcome : outcomes.split(" \\| ")) {
            NodeOutcome given = outcome(call.split(" ")[0], outcome);
            record.add(pool.upstreams().get(0), given);
            last = record.after(given, true);
        }

        assertThat(last).isEqualTo(next);
    }

    @Test
    void aRefusalOfParametersEndsTheCallOnceNoMoreRepeatsAreLeft() {
        CallRecord record = record("eth_call");
        NodeOutcome refusal = outcome("eth_call", "-32602 invalid argument 0");
        record.add(pool.upstreams().get(0), refusal);

        assertThat(record.after(refusal, true)).isEqualTo(Next.ANOTHER);
        assertThat(record.after(refusal, false)).isEqualTo(Next.ANSWER);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theRuleChangesNothing(Fault fault) {
        CallRecord record = record("eth_call");
        NodeOutcome outcome = new Failed(fault, Executed.MAYBE, "x", 0);
        record.add(pool.upstreams().get(0), outcome);

        String before = told(record);
        record.after(outcome, true);
        record.failure(false, 0, "none");

        assertThat(told(record)).isEqualTo(before);
    }

    private static String told(CallRecord record) {
        return record.reply(true) + " " + record.nothings() + record.hasPassing() + record.isConclusive()
                + record.mayTry(3) + record.mayAskAnew() + record.isRetry() + record.retryAfterNanos();
    }

    @Test
    void attemptsThatHarmedNoNodeCountAgainstNoMaximum() {
        CallRecord record = record("eth_call");
        for (int i = 0; i < 8; i++) {
            record.add(pool.upstreams().get(0), outcome("eth_call", "CONNECT unsent"));
        }
        assertThat(record.mayTry(8)).isTrue();
        assertThat(record.isRetry()).as("a connection was made").isFalse();
        for (int i = 0; i < 4; i++) {
            assertThat(record.mayTry(8 + i)).isTrue();
            record.add(pool.upstreams().get(0), outcome("eth_call", "SERVER_ERROR"));
        }
        assertThat(record.mayTry(12)).isFalse();
        assertThat(record.isRetry()).isTrue();
    }

    private static CallRecord record(String call) {
        String method = call.split(" ")[0];
        boolean repeatable = !method.equals("eth_sendRawTransaction");
        return new CallRecord(MethodCatalogue.ofName(method), repeatable, call.endsWith(" existing"), true, false);
    }

    private static NodeOutcome outcome(String method, String text) {
        String[] words = text.split(" ", 2);
        if (text.equals("null")) {
            return new Answered(new RpcReply.Result(RawJson.NULL));
        }
        if (words[0].startsWith("-")) {
            return CallErrors.judged(method, Integer.parseInt(words[0]), words[1], null);
        }
        Executed executed = words.length > 1 ? Executed.NO : Executed.MAYBE;
        return new Failed(Fault.valueOf(words[0]), executed, "x", 0);
    }
}
