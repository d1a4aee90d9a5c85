package io.weir.verify;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Names of the members that may occur in answers called verified. These are the names of each {@link ObjectForm}, and those that
 * nodes of the chain add. Immutable.
 */
public final class MemberNames {

    /** The names of Ethereum alone. */
    public static final MemberNames ETHEREUM = new MemberNames(Set.of());

    /** Names that messages repeat. */
    private static final Pattern PRINTABLE = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,31}");

    private final Set<String> added;

    /**
     * Adds names to those of Ethereum.
     *
     * @param added names that pass as sent, in every object
     */
    MemberNames(Set<String> added) {
        this.added = Set.copyOf(added);
    }

    /**
     * Returns the names of a chain: Ethereum's, the additions of its family's nodes, and those of the configuration.
     *
     * @param chainId in decimal; of a known chain, the additions of its nodes are known without its family
     */
    public static MemberNames of(ChainFamily family, String chainId, Set<String> configured) {
        Set<String> names = new HashSet<>(family.members());
        names.addAll(ChainFamily.ofKnown(chainId).members());
        names.addAll(configured);
        return names.isEmpty() ? ETHEREUM : new MemberNames(names);
    }

    /**
     * Finds a member that is neither known nor listed, in an object or in its inner objects. Nothing proves such a member, and a
     * client may read it.
     *
     * @param tree an object or a list of objects
     * @return the member's name, or null if there is none
     */
    public @Nullable String unlisted(JsonNode tree, ObjectForm form) {
        if (tree.isArray()) {
            for (JsonNode item : tree) {
                String name = unlisted(item, form);
                if (name != null) {
                    return name;
                }
            }
            return null;
        }
        for (Map.Entry<String, JsonNode> member : tree.properties()) {
            String name = member.getKey();
            ObjectForm inside = form.inside().get(name);
            String found = inside == null ? null : unlisted(member.getValue(), inside);
            if (found != null) {
                return found;
            }
            if (!form.knows(name) && !added.contains(name)) {
                return printable(name);
            }
        }
        return null;
    }

    /**
     * Refuses a member whose name equals a known one except for case. Some readers ignore case and take the later of the two. For
     * them such a member replaces the proven one.
     *
     * @param tree an object or a list of objects
     * @param path its path in the answer; empty at the root
     */
    static void requireNoShadow(JsonNode tree, ObjectForm form, String path) throws UnprovenException {
        if (tree.isArray()) {
            int index = 0;
            for (JsonNode item : tree) {
                requireNoShadow(item, form, path + "[" + index++ + "]");
            }
            return;
        }
        String prefix = path.isEmpty() ? "" : path + ".";
        for (Map.Entry<String, JsonNode> member : tree.properties()) {
            String name = member.getKey();
            String shadowed = form.shadowed(name);
            if (shadowed != null) {
                throw new UnprovenException(prefix + shadowed, "another", "none in another case");
            }
            ObjectForm inside = form.inside().get(name);
            if (inside != null) {
                requireNoShadow(member.getValue(), inside, prefix + name);
            }
        }
    }

    /** Returns a name as messages show it. */
    static String printable(String name) {
        return PRINTABLE.matcher(name).matches() ? name : "(of another kind)";
    }
}
