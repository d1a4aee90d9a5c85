package io.weir.subscription.chain;

import io.weir.cache.AnswerFacts;
import io.weir.chain.BlockLink;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.CacheClass;
import io.weir.method.params.kind.HexText;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of nodes' blocks. It takes over the members that geth sends in notifications of new heads, in geth's order. Pure. */
public final class HeaderText {

    private static final String HASH = "hash";
    private static final String BLOOM = HeaderField.LOGS_BLOOM.jsonName();
    private static final int BLOOM_DIGITS = 512;

    private static final HeaderMembers MEMBERS = new HeaderMembers(
            Stream.concat(Arrays.stream(HeaderField.values()).map(HeaderField::jsonName), Stream.of(HASH))
                    .toList());

    private HeaderText() {}

    /** Reads a block; null if it is no block with a number, a hash and a parent. */
    public static @Nullable StreamBlock read(RawJson block) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, block);
        if (facts == null || facts.parentHash() == null) {
            return null;
        }
        try {
            Map<String, RawJson> members = MEMBERS.of(block);
            BlockLink link = new BlockLink(facts.number(), facts.hash(), facts.parentHash());
            RawJson bloom = members.get(BLOOM);
            int bloomStart = bloom != null && isBloom(bloom) ? MEMBERS.position(members, BLOOM) : -1;
            return new StreamBlock(link, MEMBERS.text(members), bloomStart);
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private static boolean isBloom(RawJson value) {
        HexText hex = HexText.read(value);
        return hex != null && hex.digits() == BLOOM_DIGITS && value.length() == BLOOM_DIGITS + 4;
    }
}
