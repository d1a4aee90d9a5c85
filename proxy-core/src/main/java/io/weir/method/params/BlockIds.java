package io.weir.method.params;

import io.weir.api.BlockForm;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.JsonObject;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names of blocks in the calls and answers of a plugin's kind of network. Immutable and thread-safe. */
public final class BlockIds {

    private static final int MAX_DIGITS = 15;
    private static final Pattern HASH = Pattern.compile("0x[0-9a-f]{1,64}");
    private static final Pattern LEADING_ZEROS = Pattern.compile("^0x0+(?=.)");

    private final BlockForm form;
    private final NameTable number;
    private final NameTable hash;
    private final NameTable parentHash;
    private final RawJson latest;
    private final Set<RawJson> pending;
    private final @Nullable RawJson last;
    private final NameTable statusMembers;
    private final @Nullable RawJson finalStatus;

    public BlockIds(BlockForm form) {
        this.form = form;
        this.number = NameTable.of(Set.of(form.members().number()));
        this.hash = NameTable.of(Set.of(form.members().hash()));
        this.parentHash = NameTable.of(Set.of(form.members().parentHash()));
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

    /** Returns the name of the block at a height. */
    public RawJson of(long height) {
        return RawJson.of("{\"" + form.members().number() + "\":" + height + '}');
    }

    /** Returns the name of the block with a hash. */
    public RawJson of(String exact) {
        return RawJson.of("{\"" + form.members().hash() + "\":\"" + exact + "\"}");
    }

    /** Returns the call that shows a block; null if the network has no name for it. */
    public @Nullable RpcCall call(BlockSelector block) {
        RawJson id = name(block);
        return id == null ? null : new RpcCall(RawJson.NULL, form.method(), RawJson.of("[" + id + ']'));
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
                    case PENDING, SAFE, EARLIEST -> null;
                };
    }

    /** Returns the block that a parameter names; none if the parameter has no form that the proxy knows. */
    public BlockSelector read(RawJson id) {
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
            String named = hash(exact);
            return named.isEmpty() ? BlockSelector.NONE : new BlockSelector.Hash(named, false);
        }
        long height = height(id);
        return height < 0 ? BlockSelector.NONE : new BlockSelector.Height(height);
    }

    /** Returns the height that an object names, a parameter or a block; -1 if it names none. */
    public long height(RawJson object) {
        RawJson value = JsonObject.member(object, number);
        return value == null ? -1 : decimal(value);
    }

    /** Returns the hash that an object names, in the form of {@link #hash(RawJson)}; empty if it names none. */
    public String hashIn(RawJson object) {
        RawJson value = JsonObject.member(object, hash);
        return value == null ? "" : hash(value);
    }

    /** Returns the hash of the parent that a block names, in the form of {@link #hash(RawJson)}; empty if it names none. */
    public String parentHashIn(RawJson block) {
        RawJson value = JsonObject.member(block, parentHash);
        return value == null ? "" : hash(value);
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

    /** Returns a hash in the one form that all nodes share: without leading zeros. Empty if the value is none. */
    public static String hash(RawJson value) {
        String text = value.toString();
        return text.startsWith("\"") && text.endsWith("\"") ? hash(text.substring(1, text.length() - 1)) : "";
    }

    /** Returns the hash that a text is; otherwise as {@link #hash(RawJson)}. */
    public static String hash(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return HASH.matcher(lower).matches() ? LEADING_ZEROS.matcher(lower).replaceFirst("0x") : "";
    }

    /** Returns a decimal number; -1 if the value is none, or a larger one than a block can have. */
    public static long decimal(RawJson value) {
        if (value.length() > MAX_DIGITS) {
            return -1;
        }
        long read = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.array()[value.offset() + i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            read = read * 10 + digit;
        }
        return read;
    }
}
