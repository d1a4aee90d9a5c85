package io.weir.subscription.chain;

import io.weir.api.BlockForm;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.params.BlockIds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of the blocks of a plugin's kind of network. Immutable and thread-safe. */
public final class KindHeader {

    private final BlockForm.Members place;
    private final HeaderMembers told;
    private final HeaderMembers read;

    /**
     * Creates a reader.
     *
     * @param place the members that tell a block's place
     * @param members the members of a header, in their order
     */
    public KindHeader(BlockForm.Members place, List<String> members) {
        this.place = place;
        this.told = new HeaderMembers(members);
        this.read = new HeaderMembers(
                Stream.concat(members.stream(), Stream.of(place.number(), place.hash(), place.parentHash()))
                        .distinct()
                        .toList());
    }

    /** Reads a block; null if it is no block with a number, a hash and a parent. */
    public @Nullable StreamBlock read(RawJson block) {
        if (block.first() != '{') {
            return null;
        }
        try {
            Map<String, RawJson> members = read.of(block);
            long number = BlockIds.decimal(members.getOrDefault(place.number(), RawJson.NULL));
            String hash = BlockIds.hash(members.getOrDefault(place.hash(), RawJson.NULL));
            String parentHash = BlockIds.hash(members.getOrDefault(place.parentHash(), RawJson.NULL));
            return number < 0 || hash.isEmpty() || parentHash.isEmpty()
                    ? null
                    : new StreamBlock(new BlockLink(number, hash, parentHash), told.text(members), -1);
        } catch (JsonSyntaxException e) {
            return null;
        }
    }
}
