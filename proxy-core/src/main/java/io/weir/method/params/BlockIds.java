package io.weir.method.params;

import io.weir.api.BlockForm;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonObject;
import io.weir.method.params.kind.ParamCounts;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names of blocks in the calls and answers of one kind of network. Immutable and thread-safe. */
public final class BlockIds {

    /** The names of Ethereum. */
    public static final BlockIds ETHEREUM = new BlockIds(BlockForm.ETHEREUM);

    private static final int MAX_DIGITS = 15;
    private static final int HASH_DIGITS = 64;
    private static final Pattern HASH = Pattern.compile("0x[0-9a-f]{1,64}");
    private static final Pattern LEADING_ZEROS = Pattern.compile("^0x0+(?=.)");

    private final BlockForm form;
    private final boolean hasMembersOfEthereum;
    private final NameTable number;
    private final NameTable hash;
    private final NameTable parentHash;
    private final NameTable seconds;
    private final RawJson latest;
    private final Set<RawJson> pending;
    private final @Nullable RawJson last;
    private final NameTable statusMembers;
    private final @Nullable RawJson finalStatus;

    /** Returns the names in a form; those of Ethereum without one. */
    public static BlockIds of(@Nullable BlockForm form) {
        return form == null || form.equals(BlockForm.ETHEREUM) ? ETHEREUM : new BlockIds(form);
    }

    private BlockIds(BlockForm form) {
        this.form = form;
        this.hasMembersOfEthereum = form.hashMethod() != null && form.members().equals(BlockForm.ETHEREUM.members());
        this.number = NameTable.of(Set.of(form.members().number()));
        this.hash = NameTable.of(Set.of(form.members().hash()));
        this.parentHash = NameTable.of(Set.of(form.members().parentHash()));
        this.seconds = NameTable.of(Set.of(form.members().seconds()));
        this.latest = quoted(form.latestTag());
        this.pending = form.pendingTags().stream().map(BlockIds::quoted).collect(Collectors.toUnmodifiableSet());
        String tag = form.finalTag();
        this.last = tag == null ? null : quoted(tag);
        BlockForm.Status status = form.finalStatus();
        this.statusMembers = NameTable.of(status == null ? Set.of() : status.members());
        this.finalStatus = status == null ? null : quoted(status.value());
    }

    private static RawJson quoted(String text) {
        return RawJson.of('"' + text + '"');
    }

    public BlockForm form() {
        return form;
    }

    /** Returns whether calls name blocks as Ethereum's do: in strings, with numbers in hex and hashes of 32 bytes. */
    public boolean isOfEthereum() {
        return form.hashMethod() != null;
    }

    /** Returns whether blocks have the members of Ethereum. */
    public boolean hasMembersOfEthereum() {
        return hasMembersOfEthereum;
    }

    /** Returns the name of the block at a height. */
    public RawJson of(long height) {
        return isOfEthereum()
                ? number(height)
                : RawJson.of("{\"" + form.members().number() + "\":" + height + '}');
    }

    /** Returns a block's number as it stands in calls and answers. */
    public RawJson number(long height) {
        return isOfEthereum() ? quoted("0x" + Long.toHexString(height)) : RawJson.of(Long.toString(height));
    }

    /** Returns the name of the block with a hash. */
    public RawJson of(String exact) {
        return isOfEthereum()
                ? quoted(exact)
                : RawJson.of("{\"" + form.members().hash() + "\":\"" + exact + "\"}");
    }

    /** Returns the call that shows a block without its transactions; null if the network has no name for it. */
    public @Nullable RpcCall call(BlockSelector block) {
        RawJson id = name(block);
        if (id == null) {
            return null;
        }
        String byHash = block instanceof BlockSelector.Hash ? form.hashMethod() : null;
        return new RpcCall(
                RawJson.NULL,
                byHash == null ? form.method() : byHash,
                RawJson.of("[" + id + (isOfEthereum() ? ",false]" : "]")));
    }

    private @Nullable RawJson name(BlockSelector block) {
        if (block instanceof BlockSelector.Height height) {
            return of(height.number());
        }
        if (block instanceof BlockSelector.Hash exact) {
            return of(exact.hash());
        }
        return !(block instanceof BlockSelector.Tag tag)
                ? null
                : switch (tag.tag()) {
                    case LATEST -> latest;
                    case FINALIZED -> last;
                    case SAFE -> isOfEthereum() ? tag.tag().json() : null;
                    case PENDING, EARLIEST -> null;
                };
    }

    /** Returns the block that a parameter names; none if the parameter has no form that the proxy knows. */
    public BlockSelector read(RawJson id) {
        if (isOfEthereum()) {
            try {
                return BlockParameter.block(BlockParameter.TRACED.normalise(id, new ParamCounts()));
            } catch (InvalidParamsException e) {
                return BlockSelector.NONE;
            }
        }
        if (id.first() == '{') {
            return readObject(id);
        }
        BlockTag tag = id.equals(latest)
                ? BlockTag.LATEST
                : last != null && id.equals(last) ? BlockTag.FINALIZED : pending.contains(id) ? BlockTag.PENDING : null;
        return tag == null ? BlockSelector.NONE : new BlockSelector.Tag(tag);
    }

    private BlockSelector readObject(RawJson id) {
        RawJson exact = JsonObject.member(id, hash);
        if (exact != null && exact.first() == '"') {
            String named = exactHash(exact);
            return named.isEmpty() ? BlockSelector.NONE : new BlockSelector.Hash(named, false);
        }
        long height = height(id);
        return height < 0 ? BlockSelector.NONE : new BlockSelector.Height(height);
    }

    /** Returns the height that an object names, a parameter or a block; -1 if it names none. */
    public long height(RawJson object) {
        RawJson value = JsonObject.member(object, number);
        return value == null ? -1 : number(value);
    }

    /** Returns a block's number in a call or an answer; -1 if the value is none, or has more than 63 bits. */
    public long number(RawJson value) {
        if (!isOfEthereum()) {
            return decimal(value);
        }
        HexText text = HexText.read(value);
        return text == null || text.digits() == 0 || text.significantDigits() > 2 * Long.BYTES
                ? -1
                : Math.max(-1, text.toLong());
    }

    /** Returns the time of a block, in seconds since 1970; 0 if it names none, -1 if that is no number. */
    public long seconds(RawJson block) {
        RawJson value = JsonObject.member(block, seconds);
        return value == null ? 0 : number(value);
    }

    /** Returns the hash that an object names, in the form of {@link #exactHash}; empty if it names none. */
    public String hashIn(RawJson object) {
        RawJson value = JsonObject.member(object, hash);
        return value == null ? "" : exactHash(value);
    }

    /** Returns the hash of the parent that a block names, in the form of {@link #exactHash}; empty if it names none. */
    public String parentHashIn(RawJson block) {
        RawJson value = JsonObject.member(block, parentHash);
        return value == null ? "" : exactHash(value);
    }

    /** Returns a hash in the one form that all nodes of the network share; empty if the value is none. */
    public String exactHash(RawJson value) {
        if (!isOfEthereum()) {
            return hash(value);
        }
        HexText text = HexText.read(value);
        boolean whole = text != null && text.digits() == HASH_DIGITS && value.length() == HASH_DIGITS + 4;
        return whole ? value.toString().substring(1, HASH_DIGITS + 3).toLowerCase(Locale.ROOT) : "";
    }

    /** Returns whether the status of an answer says that its block is final. */
    public boolean isFinal(RawJson answer) {
        RawJson wanted = finalStatus;
        RawJson status = wanted == null || answer.first() != '{' ? null : JsonObject.member(answer, statusMembers);
        return status != null && wanted != null && status.equals(wanted);
    }

    /** Returns the hash and the number of a block, as an object; null if the block lacks one of them. */
    public @Nullable RawJson place(RawJson block) {
        RawJson itsHash = JsonObject.member(block, hash);
        RawJson itsNumber = JsonObject.member(block, number);
        BlockForm.Members members = form.members();
        return itsHash == null || itsNumber == null
                ? null
                : RawJson.of(
                        "{\"" + members.hash() + "\":" + itsHash + ",\"" + members.number() + "\":" + itsNumber + '}');
    }

    /** Returns hex of up to 32 bytes without leading zeros, as nodes may pad it; empty if the value is none. */
    public static String hash(RawJson value) {
        String text = value.toString().toLowerCase(Locale.ROOT);
        String hex = text.startsWith("\"") && text.endsWith("\"") ? text.substring(1, text.length() - 1) : "";
        return HASH.matcher(hex).matches() ? LEADING_ZEROS.matcher(hex).replaceFirst("0x") : "";
    }

    /** Returns a decimal number; -1 if the value is none, or a larger one than a block can have. */
    public static long decimal(RawJson value) {
        return value.length() > MAX_DIGITS ? -1 : value.toNumber();
    }
}
