package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.api.BlockForm;
import io.weir.api.SubscriptionForm.EventLookup;
import io.weir.api.SubscriptionForm.Events;
import io.weir.api.SubscriptionForm.Topic;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockIds;
import io.weir.metrics.Meters;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.StreamBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeLogsTest {

    private static final String EVENT = "{\"from\":\"0x1\",\"keys\":[\"0x2\"],\"of\":\"0xa\"}";

    private final List<String> asked = new ArrayList<>();
    private final Queue<String> answers = new ArrayDeque<>();
    private final NodeLogs logs = new NodeLogs(
            BlockIds.of(new BlockForm(
                    "show", "newest", Set.of(), null, null, new BlockForm.Members("number", "hash", "parent", "time"))),
            new Events(
                    new Topic("sub", "note"),
                    "from",
                    "keys",
                    4,
                    "status",
                    "DONE",
                    new EventLookup(
                            "list",
                            "first",
                            "last",
                            "size",
                            2,
                            "next",
                            "events",
                            "count",
                            new EventLookup.Members("from", "keys", "of"))),
            (call, number, sink) -> {
                asked.add(call.method() + call.params());
                String answer = answers.poll();
                sink.accept(answer == null ? null : RawJson.of(answer));
            },
            new SubscriptionMeters(new Meters(new MetricRegistry()), "main"));

    private @Nullable BlockLogs fetch(String header) {
        List<BlockLogs> found = new ArrayList<>();
        logs.fetch(new StreamBlock(new BlockLink(7, "0xa", "0x9"), RawJson.of(header), -1), List.of(), one -> {
            if (one != null) {
                found.add(one);
            }
        });
        return found.isEmpty() ? null : found.get(0);
    }

    private void pages() {
        answers.add("{\"events\":[" + EVENT + "," + EVENT + "],\"next\":\"p2\"}");
        answers.add("{\"events\":[" + EVENT + "]}");
    }

    @Test
    void pagesOfOneBlockAreReadOneAfterTheOther() {
        pages();
        BlockLogs found = fetch("{\"count\":3}");
        assertThat(asked)
                .containsExactly(
                        "list[{\"first\":{\"hash\":\"0xa\"},\"last\":{\"hash\":\"0xa\"},\"size\":2}]",
                        "list[{\"first\":{\"hash\":\"0xa\"},\"last\":{\"hash\":\"0xa\"},\"size\":2,\"next\":\"p2\"}]");
        assertThat(found).isNotNull();
        assertThat(found.size()).isEqualTo(3);
        assertThat(found.json(2)).hasToString(EVENT.replace("}", ",\"status\":\"DONE\"}"));
    }

    @Test
    void pagesThatDoNotHoldAllEventsOfTheBlockAreNoAnswer() {
        pages();
        assertThat(fetch("{\"count\":4}")).isNull();
    }

    @Test
    void anEmptyPageWithANextOneAndEventsOfAnotherBlockAreNoAnswer() {
        answers.add("{\"events\":[],\"next\":\"p2\"}");
        assertThat(fetch("{}")).isNull();
        answers.add("{\"events\":[" + EVENT.replace("0xa", "0xb") + "]}");
        assertThat(fetch("{}")).isNull();
        assertThat(asked).hasSize(2);
    }
}
