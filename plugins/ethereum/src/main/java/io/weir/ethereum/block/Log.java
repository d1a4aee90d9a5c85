package io.weir.ethereum.block;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.List;

/** An entry that a contract logged while a transaction ran. Immutable. */
public record Log(Address address, List<Hash32> topics, Bytes data) {
    private static final int MAX_TOPICS = 4;

    public Log {
        topics = List.copyOf(topics);
        if (topics.size() > MAX_TOPICS) {
            throw new IllegalArgumentException("topics: " + topics.size() + " (expected: at most 4)");
        }
    }

    void write(RlpWriter writer) {
        writer.nested(fields -> fields.address(address)
                .nested(list -> topics.forEach(list::hash))
                .bytes(data));
    }

    static Log read(RlpReader reader) {
        RlpReader fields = reader.list();
        Log log = new Log(fields.address(), fields.listOf(RlpReader::hash), fields.bytes());
        fields.end();
        return log;
    }
}
