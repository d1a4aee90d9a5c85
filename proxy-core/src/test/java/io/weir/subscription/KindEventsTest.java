package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.SubscriptionForm.Reorganisation;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.delivery.Delivered;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KindEventsTest {

    private final List<String> told = new ArrayList<>();
    private final KindEvents events = new KindEvents(
            new Reorganisation(
                    "net_reorganised",
                    new Reorganisation.Place("fromHash", "from"),
                    new Reorganisation.Place("toHash", "to")),
            event -> told.add(text(event)));

    private static String text(Delivered event) {
        if (event instanceof Delivered.Result result) {
            return new String(result.result(), UTF_8);
        }
        return event instanceof Delivered.Reorganisation of ? new String(of.result(), UTF_8) : event.toString();
    }

    private static BlockLink link(long number, String hash) {
        return new BlockLink(number, hash, "0x0");
    }

    private void add(long number) {
        events.added(new StreamBlock(link(number, "0xb" + number), RawJson.of("{\"n\":" + number + "}"), -1));
    }

    @Test
    void replacedBlocksAreToldOnceTogetherBeforeTheNewBranch() {
        add(6);
        events.removed(link(6, "0xa6"));
        events.removed(link(5, "0xa5"));
        events.removed(link(4, "0xa4"));
        assertThat(told).containsExactly("{\"n\":6}");
        add(4);
        add(5);
        assertThat(told)
                .containsExactly(
                        "{\"n\":6}",
                        "{\"fromHash\":\"0xa4\",\"from\":4,\"toHash\":\"0xa6\",\"to\":6}",
                        "{\"n\":4}",
                        "{\"n\":5}");
    }

    @Test
    void aStreamThatCannotGoOnEndsItsConnections() {
        events.lost("too many blocks were missed", link(9, "0xa"));
        assertThat(told).singleElement().asString().contains("too many blocks were missed");
    }
}
