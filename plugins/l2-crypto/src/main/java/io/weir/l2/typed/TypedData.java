package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.StepBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message with the types that give its parts names: what a wallet shows and signs. Thread-safe as long as nobody changes the
 * tree it was read from.
 */
public final class TypedData {
    private static final Set<String> PARTS = Set.of("types", "primaryType", "domain", "message");
    private static final Felt PREFIX = ShortString.encode("StarkNet Message");

    private final JsonNode tree;
    private final Revision revision;
    private final Map<String, List<Field>> types;
    private final String primaryType;
    private final JsonNode domain;
    private final JsonNode message;

    private TypedData(JsonNode tree, Revision revision) {
        this.tree = tree;
        this.revision = revision;
        this.types = TypeReader.read(tree.path("types"), revision);
        this.primaryType = tree.path("primaryType").stringValue();
        this.domain = tree.path("domain");
        this.message = tree.path("message");
    }

    /**
     * Reads an object of {@code types}, {@code primaryType}, {@code domain} and {@code message}.
     *
     * @throws IllegalArgumentException when a part is missing or the revision is neither 0 nor 1; the text begins with the path
     */
    public static TypedData of(JsonNode tree) {
        ScalarEncoder.check(tree.isObject(), "typed data", "an object");
        for (String member : tree.propertyNames()) {
            ScalarEncoder.check(PARTS.contains(member), member, "types, primaryType, domain and message alone");
        }
        ScalarEncoder.check(tree.path("types").isObject(), "types", "an object");
        ScalarEncoder.check(tree.path("primaryType").isString(), "primaryType", "the name of a type");
        ScalarEncoder.check(tree.path("domain").isObject(), "domain", "an object");
        ScalarEncoder.check(tree.path("message").isObject(), "message", "an object");
        return new TypedData(tree, revision(tree));
    }

    private static Revision revision(JsonNode tree) {
        JsonNode node = tree.path("domain").path("revision");
        String number = node.isMissingNode() || node.isNull() ? "0" : node.asString("");
        for (Revision revision : Revision.values()) {
            boolean named = number.equals(revision.number());
            if (named && tree.path("types").has(revision.domainType())) {
                return revision;
            }
        }
        throw new IllegalArgumentException("domain.revision: unusable"
                + " (expected: 0 and the type StarkNetDomain, or 1 and the type StarknetDomain)");
    }

    /** The revision by whose rules it is hashed. */
    public Revision revision() {
        return revision;
    }

    /** The type of the message. */
    public String primaryType() {
        return primaryType;
    }

    /** Which application, on which chain, asks for the signature. */
    public JsonNode domain() {
        return domain;
    }

    /** Returns the signed message. */
    public JsonNode message() {
        return message;
    }

    /**
     * The hash that an account signs.
     *
     * @throws IllegalArgumentException when a value is missing or not of its type, or the work takes too many steps; the text begins with
     *     the path of the value
     */
    public Felt messageHash(Felt account) {
        return messageHash(account, new StepBudget(MeteredHash.MAX_STEPS));
    }

    Felt messageHash(Felt account, StepBudget budget) {
        MeteredHash hash = new MeteredHash(revision, budget);
        ValueEncoder encoder = encoder(hash);
        return hash.many(
                List.of(
                        PREFIX,
                        encoder.struct(revision.domainType(), domain, "domain"),
                        account,
                        encoder.struct(primaryType, message, "message")),
                "message");
    }

    private ValueEncoder encoder(MeteredHash hash) {
        return new ValueEncoder(hash, new TypeTable(hash, types));
    }

    /**
     * The chain for which a signature is good: the number that the hash covers, whatever the domain calls it. Empty where the hash
     * covers none.
     *
     * @throws IllegalArgumentException when the value is missing or not of its type
     */
    public Optional<Felt> chainId() {
        return encoder(new MeteredHash(revision)).domainMember(domain, "chainId");
    }

    /** Whether the message itself defines a type by exactly these fields. */
    boolean declares(String type, List<Field> fields) {
        return fields.equals(types.get(type));
    }

    /** Returns the type of a struct's member, or {@code leaf*} for a Merkle tree of leaves; empty if the struct has no such member. */
    public String memberType(String struct, String member) {
        for (Field field : types.getOrDefault(struct, revision.presets().getOrDefault(struct, List.of()))) {
            if (field.name().equals(member)) {
                boolean isTree = field.type().equals("merkletree") && field.contains() != null;
                return isTree ? field.contains() + "*" : field.type();
            }
        }
        return "";
    }

    /**
     * Returns the felt by which the hash covers a value that is neither a struct nor an array.
     *
     * @throws IllegalArgumentException when the type is unknown or the value not of it; the text begins with the type
     */
    public Felt felt(String type, JsonNode value) {
        return new ScalarEncoder(new MeteredHash(revision)).encode(type, value, type);
    }

    /** Whether the values of a type are text of any length, of which the hash covers no number. */
    public boolean isText(String type) {
        return type.equals("string") && revision == Revision.ACTIVE;
    }

    /** Returns the type of the domain. */
    public String domainType() {
        return revision.domainType();
    }

    /** Returns the whole as it is, without the types that the hash does not cover. */
    public ObjectNode covered() {
        Set<String> used =
                new TypeTable(new MeteredHash(revision), types).used(List.of(revision.domainType(), primaryType));
        ObjectNode covered = (ObjectNode) tree.deepCopy();
        ((ObjectNode) covered.path("types")).retain(used);
        return covered;
    }

    /** The text of a type and of all that it needs, whose Keccak is the type's hash. */
    String encodedType(String type) {
        return new TypeTable(new MeteredHash(revision), types).encode(type);
    }

    /** The hash of a type's text. */
    Felt typeHash(String type) {
        return new TypeTable(new MeteredHash(revision), types).hash(type);
    }

    /** The hash of the domain alone. */
    Felt domainHash() {
        return encoder(new MeteredHash(revision)).struct(revision.domainType(), domain, "domain");
    }
}
