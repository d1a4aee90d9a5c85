package io.weir.bench.subscription.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Log;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A block that was read from a real node. Thread-safe. */
public final class ReadBlock extends Block {

    private static final JsonMapper JSON = new JsonMapper();

    private final String header;
    private final List<String> logTexts = new ArrayList<>();
    private final List<ChainLog> read = new ArrayList<>();

    private ReadBlock(JsonNode block, int event, @Nullable Block parent) {
        super(Long.decode(block.path("number").asString()), block.path("hash").asString(), event, parent);
        ObjectNode members = JSON.createObjectNode();
        for (HeaderField field : HeaderField.values()) {
            JsonNode value = block.path(field.jsonName());
            if (!value.isMissingNode() && !value.isNull()) {
                members.set(field.jsonName(), value);
            }
        }
        this.header = members.put("hash", hash()).toString();
    }

    /**
     * Reads a block.
     *
     * @param block as a node shows it
     * @param logs of the block, as a node shows them
     * @param event the position of the block in the history of the chain
     */
    public static ReadBlock of(JsonNode block, JsonNode logs, int event, @Nullable Block parent) {
        ReadBlock made = new ReadBlock(block, event, parent);
        for (JsonNode log : logs) {
            made.logTexts.add(log.toString());
            made.read.add(new ChainLog(made, made.read.size(), index(log), log(log)));
        }
        return made;
    }

    private static int index(JsonNode log) {
        return Integer.decode(log.path("transactionIndex").asString());
    }

    private static Log log(JsonNode log) {
        List<Hash32> topics = log.path("topics")
                .valueStream()
                .map(topic -> Hash32.fromHex(topic.asString()))
                .toList();
        return new Log(
                Address.fromHex(log.path("address").asString()),
                topics,
                Bytes.fromHex(log.path("data").asString()));
    }

    @Override
    String makeHead() {
        return header;
    }

    @Override
    List<ChainLog> makeLogs() {
        return read;
    }

    @Override
    String json(ChainLog log, boolean removed) {
        ObjectNode text = (ObjectNode) JSON.readTree(logTexts.get(log.index()));
        return text.put("removed", removed).toString();
    }
}
