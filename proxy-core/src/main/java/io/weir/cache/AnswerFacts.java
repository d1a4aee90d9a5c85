package io.weir.cache;

import io.weir.cache.MemberWalk.Wanted;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.CacheClass;
import io.weir.method.CacheClass.BlockNaming;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.HexText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statements of an answer about its block and itself, read without a tree. Immutable.
 *
 * @param number the block's
 * @param hash the block's, in lower case
 * @param parentHash the block's parent's, in lower case; null if the answer is not a block
 * @param transactionHash in lower case; null if the answer is not a transaction or receipt
 * @param index the transaction's position in the block; -1 if the answer has none
 * @param ofTransactions the first byte of the block's first transaction: a quote before its hash, or a bracket; another one if the answer
 *     is not a block, or lists none
 */
public record AnswerFacts(
        long number,
        String hash,
        @Nullable String parentHash,
        @Nullable String transactionHash,
        long index,
        byte ofTransactions) {

    private static final int MAX_DIGITS = 15;
    private static final byte NOTHING = 0;
    private static final Wanted OF_BLOCK = Wanted.of("number", "hash", "parentHash", "transactions");
    private static final Wanted IN_BLOCK =
            Wanted.of("blockNumber", "blockHash", "hash", "transactionHash", "transactionIndex");

    /** Reads an answer; null if a required member is missing, repeated or in an unusual form. */
    public static @Nullable AnswerFacts read(CacheClass rule, RawJson answer) {
        try {
            MemberWalk walk = new MemberWalk(answer);
            return rule.naming() == BlockNaming.CONTAINING_EACH ? ofEach(walk) : one(rule, walk);
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    /** Reads an answer of a network with these names of blocks; otherwise as {@link #read(CacheClass, RawJson)}. */
    public static @Nullable AnswerFacts read(CacheClass rule, BlockIds ids, RawJson answer) {
        return switch (rule.naming()) {
            case OWN -> ofBlock(ids, answer);
            case OF_KIND -> ids.isFinal(answer) ? placeOf(ids, answer) : null;
            default -> read(rule, answer);
        };
    }

    /** Reads a block; null if it does not name itself and its parent. */
    public static @Nullable AnswerFacts ofBlock(BlockIds ids, RawJson block) {
        if (ids.hasMembersOfEthereum()) {
            return read(CacheClass.BLOCK, block);
        }
        AnswerFacts place = placeOf(ids, block);
        String parent = place == null ? "" : ids.parentHashIn(block);
        return place == null || parent.isEmpty()
                ? null
                : new AnswerFacts(place.number, place.hash, parent, null, -1, NOTHING);
    }

    /** Reads the number and the hash of an object's block, in the form of the network; null if it names none. */
    public static @Nullable AnswerFacts placeOf(BlockIds ids, RawJson answer) {
        long number = answer.first() == '{' ? ids.height(answer) : -1;
        String hash = number < 0 ? "" : ids.hashIn(answer);
        return hash.isEmpty() ? null : new AnswerFacts(number, hash, null, null, -1, NOTHING);
    }

    /**
     * Returns the hash by which an answer is known that names no block, as a pending one. Of a block it is its parent's, of a transaction or
     * a receipt its own. Returns it in lower case; null if there is none, or two members of the name.
     */
    public static @Nullable String ownHash(CacheClass rule, RawJson answer) {
        try {
            Map<String, RawJson> members = members(rule, new MemberWalk(answer));
            return members == null ? null : hash(members.get(ownName(rule)));
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    private static String ownName(CacheClass rule) {
        return rule.naming() == BlockNaming.OWN
                ? "parentHash"
                : rule == CacheClass.TRANSACTION ? "hash" : "transactionHash";
    }

    private static @Nullable Map<String, RawJson> members(CacheClass rule, MemberWalk walk) throws JsonSyntaxException {
        Map<String, RawJson> members = new HashMap<>();
        boolean object = walk.object(rule.naming() == BlockNaming.OWN ? OF_BLOCK : IN_BLOCK, name -> {
            members.put(name, walk.value());
            return true;
        });
        return object ? members : null;
    }

    private static @Nullable AnswerFacts one(CacheClass rule, MemberWalk walk) throws JsonSyntaxException {
        Map<String, RawJson> members = members(rule, walk);
        if (members == null) {
            return null;
        }
        boolean block = rule.naming() == BlockNaming.OWN;
        long number = number(members.get(block ? "number" : "blockNumber"));
        String hash = hash(members.get(block ? "hash" : "blockHash"));
        String own = hash(members.get(ownName(rule)));
        if (number < 0 || hash == null || (block && own == null)) {
            return null;
        }
        return block
                ? new AnswerFacts(number, hash, own, null, -1, firstIn(members.get("transactions")))
                : new AnswerFacts(number, hash, null, own, number(members.get("transactionIndex")), NOTHING);
    }

    /** Requires that each element names the same block and stands at its own position. */
    private static @Nullable AnswerFacts ofEach(MemberWalk walk) throws JsonSyntaxException {
        List<AnswerFacts> all = new ArrayList<>();
        boolean list = walk.list(() -> {
            AnswerFacts next = one(CacheClass.RECEIPT, walk);
            boolean fits = next != null
                    && next.index == all.size()
                    && (all.isEmpty() || all.get(0).isSameBlock(next));
            return fits && all.add(next);
        });
        return list && !all.isEmpty() ? all.get(0) : null;
    }

    public boolean isSameBlock(AnswerFacts other) {
        return number == other.number && hash.equals(other.hash);
    }

    /** Returns the first byte within a list that is not white space. */
    private static byte firstIn(@Nullable RawJson list) {
        if (list == null) {
            return NOTHING;
        }
        int at = list.offset() + 1;
        while (at < list.offset() + list.length() - 1 && list.array()[at] <= ' ') {
            at++;
        }
        return list.array()[at];
    }

    private static long number(@Nullable RawJson value) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null || text.digits() == 0 || text.significantDigits() > MAX_DIGITS ? -1 : text.toLong();
    }

    private static @Nullable String hash(@Nullable RawJson value) {
        String hash = value == null ? "" : BlockIds.ETHEREUM.exactHash(value);
        return hash.isEmpty() ? null : hash;
    }
}
