package io.weir.wallet.approval;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.weir.wallet.name.SimilarName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code approver-sha256} and {@code approvers}, whose names the host cannot check. Confined to one thread. */
final class ApproverReader {

    /** The name of the person of {@code approver-sha256}. */
    private static final String UNNAMED = "approver";

    private static final String HASH = "sha256";
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._@-]{0,63}";
    private static final int SHA256_BYTES = 32;

    private final List<String> problems;
    private final Map<String, byte[]> hashes = new TreeMap<>();

    ApproverReader(List<String> problems) {
        this.problems = problems;
    }

    /** Returns the hashes of the credentials by the names of the persons. */
    Map<String, byte[]> read(Config wallet) {
        String unnamed = wallet.getString("approver-sha256");
        if (!unnamed.isEmpty()) {
            add(UNNAMED, "approver-sha256", unnamed);
        }
        new TreeMap<>(wallet.getObject("approvers")).forEach(this::person);
        return hashes;
    }

    private void person(String name, ConfigValue value) {
        String path = "approvers." + ConfigUtil.quoteString(name);
        if (!(value instanceof ConfigObject block)) {
            problems.add(path + ": not a block (expected: { sha256 = … })");
            return;
        }
        for (String member : new TreeMap<>(block).keySet()) {
            if (!member.equals(HASH)) {
                problems.add(path + "." + ConfigUtil.quoteString(member) + ": unknown (expected: sha256"
                        + SimilarName.hint(member, List.of(HASH)) + ")");
            }
        }
        if (!name.matches(NAME) || hashes.containsKey(name)) {
            problems.add(path + ": not a name (expected: up to 64 letters, digits or . _ @ -, and each name once;"
                    + " approver is that of approver-sha256)");
            return;
        }
        ConfigValue hash = block.get(HASH);
        add(name, path + ".sha256", hash == null ? "" : String.valueOf(hash.unwrapped()));
    }

    private void add(String name, String path, String hex) {
        byte[] hash = parsed(hex);
        if (hash == null) {
            problems.add(path + ": not a hash (expected: the 64 hexadecimal digits of a SHA-256)");
        } else if (hashes.values().stream().anyMatch(other -> Arrays.equals(other, hash))) {
            problems.add(path + ": another approver's (expected: a credential of their own)");
        } else {
            hashes.put(name, hash);
        }
    }

    private static byte @Nullable [] parsed(String hex) {
        try {
            byte[] hash = HexFormat.of().parseHex(hex);
            return hash.length == SHA256_BYTES ? hash : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
