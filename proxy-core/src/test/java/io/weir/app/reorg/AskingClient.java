package io.weir.app.reorg;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.RandomQuestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that asks at random until the chain changes no more and some were answered, one by one and in batches. Confined to one thread. */
final class AskingClient implements Runnable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_BATCH = 8;
    private static final int LEAST_ANSWERS = 150;

    private final long seed;
    private final Random random;
    private final ChainEvents events;
    private final JsonRpcClient client;
    private final RandomQuestions questions;
    private int answered;

    AskingClient(long seed, ChainEvents events, JsonRpcClient client) {
        this.seed = seed;
        this.random = new Random(seed);
        this.events = events;
        this.client = client;
        this.questions = new RandomQuestions(random, events.chain());
    }

    @Override
    public void run() {
        while (!events.ended() || answered < LEAST_ANSWERS) {
            askInBatch(1 + random.nextInt(random.nextBoolean() ? 1 : MAX_BATCH));
        }
    }

    /** Asks, and holds each answer against the states that the chain had since what the proxy had seen. */
    void askInBatch(int count) {
        List<AskedCall> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(questions.next());
        }
        ChainState seen = events.seen();
        String request = IntStream.range(0, count)
                .mapToObj(i -> "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\""
                        + calls.get(i).method() + "\",\"params\":"
                        + calls.get(i).params() + "}")
                .collect(Collectors.joining(","));
        JsonNode answers = JSON.readTree(
                client.post(count == 1 ? request : "[" + request + "]").body());
        List<ChainState> states = events.chain().since(seen);
        for (int i = 0; i < count; i++) {
            JsonNode answer = count == 1 ? answers : answers.path(i);
            assertThat(calls.get(i).isAnsweredBy(read(answer), states, 0))
                    .as("seed %s: %s was answered %s after state %s", seed, calls.get(i), answer, seen.version())
                    .isTrue();
            answered++;
        }
    }

    private static ChainAnswer read(JsonNode answer) {
        return answer.has("result")
                ? ChainAnswer.result(answer.get("result").toString())
                : ChainAnswer.error(
                        answer.at("/error/code").asInt(),
                        answer.at("/error/message").asString());
    }
}
