package io.weir.verify;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The names of members that may stand in answers called verified: those of each {@link ObjectForm}, and a list per chain of
 * names that nodes of that chain add. Immutable.
 */
public final class MemberNames {

    /** The names of Ethereum alone. */
    public static final MemberNames ETHEREUM = new MemberNames(Set.of());

    /** The names of members that messages repeat. */
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
     * The names of a chain: Ethereum's, those that nodes of the chain are known to add, and those that the configuration lists.
     *
     * @param chainId in decimal
     */
    public static MemberNames of(String chainId, Set<String> configured) {
        Set<String> names = new HashSet<>(ChainMembers.of(chainId));
        names.addAll(configured);
        return names.isEmpty() ? ETHEREUM : new MemberNames(names);
    }

    /**
     * Finds a member that is neither known nor listed, in an object or in what it holds. Nothing proves such a member, and a
     * client may read it.
     *
     * @param tree an object or a list of objects
     * @return the member's name, or null where there is none
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
     * Refuses a member whose name equals a known one but for case. Some readers ignore case and take the later of the two, so
     * that such a member replaces the proven one.
     *
     * @param tree an object or a list of objects
     * @param path where it stands; empty at the root
     */
    static void requireNoShadow(JsonNode tree, ObjectForm form, String path) throws DifferenceException {
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
                throw new DifferenceException(prefix + shadowed, "another", "none in another case");
            }
            ObjectForm inside = form.inside().get(name);
            if (inside != null) {
                requireNoShadow(member.getValue(), inside, prefix + name);
            }
        }
    }

    /** A name as messages show it. */
    static String printable(String name) {
        return PRINTABLE.matcher(name).matches() ? name : "(of another kind)";
    }
}
