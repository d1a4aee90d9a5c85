package io.weir.answer;

import io.weir.answer.Judgement.Fault;
import io.weir.answer.Judgement.Proven;
import io.weir.cache.AnswerFacts;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Hex;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.NetworkForm;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.trie.StateAccount;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.NullMeaning;
import io.weir.method.ResultForm;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import io.weir.verify.AccountProof;
import io.weir.verify.Verification;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judge of nodes' results by the question and by what is known of the chain. Honest nodes answer with nothing all the time, because they
 * lag, prune, or have a block before its index. So {@code null}, an empty list and zero are answers only where nothing can be. A result
 * must also have the form of its method, and be about what was asked for. Pure; linear in the result.
 */
public final class Judge {

    private static final NameTable GAS = NameTable.of(Set.of("cumulativeGasUsed"));
    private static final NameTable ADDRESS = NameTable.of(Set.of("address"));
    private static final NameTable BLOOM = NameTable.of(Set.of("logsBloom"));

    private Judge() {}

    /** Returns the judgement of a result of another form than the method's. */
    public static Judgement otherForm(MethodFacts facts) {
        return Judgement.of(Fault.FORM, "a result of another form (expected: " + facts.form() + ")");
    }

    /**
     * Judges a result.
     *
     * @param facts of the method
     * @param params of the call
     * @param result of a node, {@code null} included
     */
    public static Judgement judge(MethodFacts facts, CheckedParams params, RawJson result, ChainFacts chain) {
        CacheClass rule = facts.cacheClass();
        boolean isNull = result.equals(RawJson.NULL);
        if (!facts.fits(result)) {
            return otherForm(facts);
        }
        if (rule == null && !facts.lookup().isLookup()) {
            return Judgement.FITS;
        }
        if (isNull && facts.nullMeaning() == NullMeaning.NO_BLOCK && hasBlock(params.block(), chain)) {
            return nothing("null for a block of the chain");
        }
        if (rule == null) {
            return isNull
                    ? absent(params, chain)
                    : facts.form() == ResultForm.DATA ? raw(params, result, chain) : Judgement.FITS;
        }
        return switch (rule) {
            case BLOCK, HEADER -> isNull ? Judgement.FITS : block(params, result, chain);
            case RECEIPTS -> isNull ? absent(params, chain) : receipts(params, result, chain);
            case TRANSACTION -> isNull ? absent(params, chain) : transaction(rule, params, result, chain);
            case RECEIPT -> isNull ? Judgement.FITS : transaction(rule, params, result, chain);
            case COUNT -> isNull ? absent(params, chain) : count(params, facts.blockField(), result, chain);
            case LOGS -> logs(params, result, chain);
            case VALUE -> facts.name().equals(ChainCalls.PROOF) ? account(params, result, chain) : Judgement.FITS;
            case UNCLE, HEAD_VALUE, FINAL_VALUE, BY_STATUS -> Judgement.FITS;
        };
    }

    private static Judgement nothing(String detail) {
        return Judgement.of(Fault.NOTHING, detail);
    }

    private static boolean hasBlock(BlockSelector block, ChainFacts chain) {
        if (block instanceof BlockSelector.Height height) {
            return height.number() <= chain.top();
        }
        if (block instanceof BlockSelector.Tag named) {
            return named.tag() == BlockTag.EARLIEST || named.tag() == BlockTag.LATEST;
        }
        return block instanceof BlockSelector.Hash hash && chain.isCanonical(hash.hash());
    }

    /** Returns whether a call names a block that can be asked for. */
    private static boolean isNamed(BlockSelector block, ChainFacts chain) {
        return block instanceof BlockSelector.Hash
                || (block instanceof BlockSelector.Height height && height.number() <= chain.top());
    }

    private static @Nullable BlockHeader header(BlockSelector block, ChainFacts chain) {
        String hash = hash(block, chain);
        return hash == null ? null : chain.header(hash);
    }

    private static @Nullable String hash(BlockSelector block, ChainFacts chain) {
        return block instanceof BlockSelector.Hash named
                ? named.hash()
                : block instanceof BlockSelector.Height height ? chain.hash(height.number()) : null;
    }

    /** Judges an object that does not say of which block it is, as a pending one. What is in a block that the call names must say so. */
    private static Judgement pending(CacheClass rule, CheckedParams params, RawJson result) {
        String own = AnswerFacts.ownHash(rule, result);
        boolean mined = params.block() instanceof BlockSelector.Hash || params.block() instanceof BlockSelector.Height;
        if (own == null || mined) {
            return Judgement.of(
                    Fault.FORM, "the hash of it or of its block, or the number: none or two (expected: one)");
        }
        return rule == CacheClass.BLOCK ? Judgement.FITS : lookedUp(params, own);
    }

    /** Judges the hash of a transaction by the one that a call looks up. */
    private static Judgement lookedUp(CheckedParams params, @Nullable String own) {
        String asked = params.block() instanceof BlockSelector.None ? params.lookupHash() : null;
        return asked == null || asked.equals(own)
                ? Judgement.FITS
                : Judgement.of(Fault.UNFIT, "of transaction " + own + " (expected: " + asked + ")");
    }

    /**
     * Judges the bytes of a transaction that a call looks up. Types of other families have hashes of their own, as have transactions that
     * nobody signed: developers' nodes write both parts of their signatures as one number.
     */
    private static Judgement raw(CheckedParams params, RawJson result, ChainFacts chain) {
        HexText text = HexText.read(result);
        if (!chain.hashesTransactions() || text == null || text.digits() < 2) {
            return Judgement.FITS;
        }
        try {
            String json = result.toString();
            Transaction transaction =
                    Transaction.decode(NetworkForm.withoutBlobs(Hex.decode(json.substring(1, json.length() - 1))));
            Signature signature = transaction.signature();
            return signature == null || signature.r().equals(signature.s())
                    ? Judgement.FITS
                    : lookedUp(params, transaction.hash().hex());
        } catch (IllegalArgumentException e) {
            return Judgement.FITS;
        }
    }

    /** Judges the account of a proof by the one that the call names, and by the state root of its block if that is known. */
    private static Judgement account(CheckedParams params, RawJson result, ChainFacts chain) {
        String asked = params.values().get(0).toString();
        RawJson own = JsonObject.member(result, ADDRESS);
        if (own != null && !asked.equalsIgnoreCase(own.toString())) {
            return Judgement.of(Fault.UNFIT, "of account " + own + " (expected: " + asked + ")");
        }
        String hash = hash(params.block(), chain);
        Hash32 root = hash == null ? null : chain.stateRoot(hash);
        if (root == null) {
            boolean isNew = params.block() instanceof BlockSelector.Height height && height.number() >= chain.newFrom();
            return isNew && chain.hasStateRoots() ? Judgement.ofUnknown(List.of(params.block())) : Judgement.FITS;
        }
        Verification<StateAccount> proof = AccountProof.check(
                result, Address.fromHex(unquoted(asked)), slots(params.values().get(1)), root);
        return switch (proof.kind()) {
            case PROVEN -> new Judgement(null, "", List.of(), false, List.of(), Proven.STATE);
            case WRONG -> Judgement.of(Fault.STATE, proof.detail());
            case UNANCHORED -> Judgement.of(Fault.STATE, "accountProof: of another state root than the block's");
            default -> Judgement.FITS;
        };
    }

    private static String unquoted(String text) {
        return text.substring(1, text.length() - 1);
    }

    /** Reads the positions of slots, which are checked parameters. */
    private static List<Hash32> slots(RawJson positions) {
        try {
            return JsonArray.elements(positions, Integer.MAX_VALUE).stream()
                    .map(one -> Hash32.ofNumber(
                            new BigInteger(unquoted(one.toString()).substring(2), 16)))
                    .toList();
        } catch (InvalidParamsException e) {
            throw new IllegalStateException("positions: " + e.getMessage() + " (expected: checked ones)", e);
        }
    }

    private static Judgement block(CheckedParams params, RawJson result, ChainFacts chain) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, result);
        if (facts == null) {
            return pending(CacheClass.BLOCK, params, result);
        }
        boolean whole = params.values().size() > 1 && params.values().get(1).first() == 't';
        if (facts.ofTransactions() == (whole ? '"' : '{')) {
            return Judgement.of(
                    Fault.UNFIT,
                    whole ? "hashes in place of whole transactions" : "whole transactions in place of hashes");
        }
        return placed(params.block(), facts, chain);
    }

    /** Judges the block that a result names: the one of the call, and at its height the one of the chain. */
    private static Judgement placed(BlockSelector asked, AnswerFacts facts, ChainFacts chain) {
        if (asked instanceof BlockSelector.Hash hash && !hash.hash().equals(facts.hash())) {
            return Judgement.of(Fault.UNFIT, "of block " + facts.hash() + " (expected: " + hash.hash() + ")");
        }
        if (asked instanceof BlockSelector.Height height) {
            if (height.number() != facts.number()) {
                return Judgement.of(Fault.UNFIT, "of block " + facts.number() + " (expected: " + height.number() + ")");
            }
            String canonical = chain.agreedHash(facts.number());
            if (canonical != null && !canonical.equals(facts.hash())) {
                return Judgement.of(Fault.OTHER_BRANCH, "of block " + facts.hash() + " (expected: " + canonical + ")");
            }
        }
        return Judgement.FITS;
    }

    private static Judgement transaction(CacheClass rule, CheckedParams params, RawJson result, ChainFacts chain) {
        AnswerFacts facts = AnswerFacts.read(rule, result);
        if (facts == null) {
            return pending(rule, params, result);
        }
        Judgement own = lookedUp(params, facts.transactionHash());
        if (own.fault() != null) {
            return own;
        }
        long index = params.block() instanceof BlockSelector.None ? -1 : index(params);
        if (index >= 0 && index != facts.index()) {
            return Judgement.of(Fault.UNFIT, "of transaction " + facts.index() + " (expected: " + index + ")");
        }
        return placed(params.block(), facts, chain);
    }

    /** Returns the index that a call names beside its block; -1 if it names none. */
    public static long index(CheckedParams params) {
        HexText index =
                params.values().size() < 2 ? null : HexText.read(params.values().get(1));
        return index == null ? -1 : index.toLong();
    }

    /** Judges nothing by the block itself. Known headers do not tell whether nodes still have a block that was replaced. */
    private static Judgement absent(CheckedParams params, ChainFacts chain) {
        BlockHeader header = header(params.block(), chain);
        int size = header == null ? -1 : chain.transactions(header.hash().hex());
        if (size < 0) {
            return isNamed(params.block(), chain) && !chain.isEmpty(params.block())
                    ? Judgement.ofUnknown(List.of(params.block()))
                    : Judgement.FITS;
        }
        return size > Math.max(0, index(params)) ? nothing("nothing of a block that has it") : Judgement.FITS;
    }

    private static Judgement logs(CheckedParams params, RawJson result, ChainFacts chain) {
        LogRules rules = new LogRules(params.values().get(0), chain);
        rules.takeAll(result);
        return logs(params, rules, chain);
    }

    /**
     * Judges a list of logs.
     *
     * @param rules to which all logs were told
     */
    public static Judgement logs(CheckedParams params, LogRules rules, ChainFacts chain) {
        Judgement judgement = rules.judgement(chain);
        boolean empty = rules.isEmpty();
        List<BlockSelector> asked = empty && params.block() instanceof BlockSelector.Hash
                ? List.of(params.block())
                : rules.newBlocks(chain);
        List<BlockSelector> open = asked.stream()
                .filter(block -> header(block, chain) == null && !(empty && chain.isEmpty(block)))
                .toList();
        return judgement.fault() == null ? judgement.with(open) : judgement;
    }

    private static boolean hasTransactions(BlockHeader header) {
        return !TrieRoot.EMPTY.equals(header.transactionsRoot());
    }

    private static Judgement count(CheckedParams params, @Nullable BlockField field, RawJson result, ChainFacts chain) {
        BlockHeader header = header(params.block(), chain);
        HexText count = HexText.read(result);
        boolean none = count != null && count.significantDigits() == 0;
        if (field == null) {
            // Some nodes write no bytes where there is no transaction.
            return none ? absent(params, chain) : Judgement.FITS;
        }
        if (header == null) {
            if (none && field == BlockField.TRANSACTION_COUNT) {
                return absent(params, chain);
            }
            return none && field == BlockField.UNCLE_COUNT && isNamed(params.block(), chain)
                    ? Judgement.ofUnknown(List.of(params.block()))
                    : Judgement.FITS;
        }
        boolean some = field == BlockField.TRANSACTION_COUNT
                ? hasTransactions(header)
                : !Objects.equals(header.sha3Uncles(), BlockRoots.NO_OMMERS);
        if (some && none) {
            return nothing("0 (expected: more, by the header)");
        }
        // A node may have another block at the height.
        return !some && !none
                ? Judgement.of(Fault.OTHER_BRANCH, result + " (expected: 0, by the header)")
                : Judgement.FITS;
    }

    private static Judgement receipts(CheckedParams params, RawJson result, ChainFacts chain) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.RECEIPTS, result);
        if (facts != null) {
            Judgement placed = placed(params.block(), facts, chain);
            BlockHeader named = chain.header(facts.hash());
            if (placed.fault() != null) {
                return placed;
            }
            if (named == null) {
                return facts.number() >= chain.newFrom()
                        ? Judgement.ofUnknown(List.of(params.block()))
                        : Judgement.FITS;
            }
            return chain.hasBlooms() ? summed(result, named, chain) : Judgement.FITS;
        }
        try {
            List<RawJson> receipts = JsonArray.elements(result, Integer.MAX_VALUE);
            return receipts.isEmpty() ? absent(params, chain) : counted(params, receipts, chain);
        } catch (InvalidParamsException e) {
            return Judgement.of(Fault.FORM, "receipts that are not JSON");
        }
    }

    /** Judges receipts that are not those of one block in order, one by one, and by their number. */
    private static Judgement counted(CheckedParams params, List<RawJson> receipts, ChainFacts chain) {
        AnswerFacts before = null;
        long last = -1;
        for (RawJson receipt : receipts) {
            AnswerFacts facts = AnswerFacts.read(CacheClass.RECEIPT, receipt);
            Judgement one =
                    facts == null ? pending(CacheClass.RECEIPT, params, receipt) : placed(params.block(), facts, chain);
            if (one.fault() != null) {
                return one;
            }
            long index = facts == null ? -1 : facts.index();
            boolean ofOther = facts != null && before != null && !facts.isSameBlock(before);
            if (ofOther || (index >= 0 && index <= last)) {
                return Judgement.of(Fault.UNFIT, "receipts of two blocks, or in another order than their transactions");
            }
            before = facts;
            last = Math.max(last, index);
        }
        if (last < 0 || last == receipts.size() - 1) {
            return Judgement.FITS;
        }
        BlockHeader header = header(params.block(), chain);
        int size = header == null ? -1 : chain.transactions(header.hash().hex());
        if (size < 0) {
            return absent(params, chain);
        }
        return size == receipts.size() ? Judgement.FITS : otherNumber(receipts, size);
    }

    private static Judgement otherNumber(List<RawJson> receipts, int size) {
        return Judgement.of(Fault.REFUTED, receipts.size() + " receipts (expected: " + size + ", by the block)");
    }

    /**
     * Compares the number of receipts, and the sum of their blooms, with the block. The sum of the gas alone refutes nothing, because
     * chains may count it in other ways; but if it differs, the number of transactions must be known.
     */
    private static Judgement summed(RawJson result, BlockHeader header, ChainFacts chain) {
        try {
            List<RawJson> receipts = JsonArray.elements(result, Integer.MAX_VALUE);
            int size = chain.transactions(header.hash().hex());
            if (size >= 0 && size != receipts.size()) {
                return otherNumber(receipts, size);
            }
            RawJson gas = JsonObject.member(receipts.get(receipts.size() - 1), GAS);
            HexText sum = gas == null ? null : HexText.read(gas);
            if (size < 0 && sum != null && sum.toLong() != header.gasUsed()) {
                return Judgement.ofUnknown(
                        List.of(new BlockSelector.Hash(header.hash().hex(), false)));
            }
            Bloom bloom = Bloom.EMPTY;
            for (RawJson receipt : receipts) {
                RawJson own = JsonObject.member(receipt, BLOOM);
                HexText hex = own == null ? null : HexText.read(own);
                if (own == null || hex == null || hex.digits() != 2 * Bloom.SIZE_BYTES) {
                    return Judgement.FITS;
                }
                String text = own.toString();
                bloom = bloom.or(Bloom.fromHex(text.substring(1, text.length() - 1)));
            }
            return bloom.equals(header.logsBloom())
                    ? Judgement.FITS
                    : Judgement.of(Fault.REFUTED, "receipts of another bloom than the block's");
        } catch (InvalidParamsException | IllegalArgumentException e) {
            return Judgement.FITS;
        }
    }
}
