package io.weir.l2.typed;

import static io.weir.l2.typed.ScalarEncoder.check;

import io.weir.l2.Felt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Makes one felt of each value of a message. Confined to one thread. */
final class ValueEncoder {
    private static final int MAX_DEPTH = 32;

    private final Revision revision;
    private final MeteredHash hash;
    private final TypeTable types;
    private final ScalarEncoder scalars;
    private int depth;

    ValueEncoder(MeteredHash hash, TypeTable types) {
        this.hash = hash;
        this.revision = hash.revision();
        this.types = types;
        this.scalars = new ScalarEncoder(hash);
    }

    /** Returns the felt of a domain's member, as the domain's hash covers it; nothing where the domain's type has none. */
    Optional<Felt> domainMember(JsonNode domain, String name) {
        List<Field> fields = types.fields(revision.domainType());
        return (fields == null ? List.<Field>of() : fields)
                .stream()
                        .filter(field -> field.name().equals(name))
                        .findFirst()
                        .map(field -> field(field, domain.path(name), "domain." + name));
    }

    /** The hash of a struct. */
    Felt struct(String type, JsonNode value, String path) {
        List<Field> fields = types.fields(type);
        if (fields == null) {
            throw new IllegalArgumentException(
                    path + ": of the unknown type " + type + " (expected: one of \"types\")");
        }
        check(value.isObject(), path, "an object of the type " + type);
        hash.spend(1L + fields.size(), path);
        List<Felt> hashed = new ArrayList<>();
        hashed.add(types.hash(type));
        for (Field field : fields) {
            JsonNode inner = value.path(field.name());
            String innerPath = path + '.' + field.name();
            check(!inner.isMissingNode() && !inner.isNull(), innerPath, "a value of the type " + field.type());
            hashed.add(field(field, inner, innerPath));
        }
        checkCovered(fields, value, path);
        return hash.many(hashed, path);
    }

    /** A person would read what the signature does not cover. */
    private static void checkCovered(List<Field> fields, JsonNode value, String path) {
        Set<String> names = fields.stream().map(Field::name).collect(Collectors.toSet());
        for (String member : value.propertyNames()) {
            // The domain's revision chooses the rules; clients leave it out of the type.
            boolean chooses = path.equals("domain") && member.equals("revision");
            check(chooses || names.contains(member), path + '.' + member, "a member that the type has");
        }
    }

    private Felt field(Field field, JsonNode value, String path) {
        // No message may define these types itself.
        if (field.type().equals("merkletree")) {
            return merkleTree(field, value, path);
        }
        if (field.type().equals("enum") && revision == Revision.ACTIVE) {
            return variant(field, value, path);
        }
        return value(field.type(), value, path);
    }

    /** Any value that its type alone describes. */
    private Felt value(String type, JsonNode value, String path) {
        depth++;
        hash.read(path.length(), path);
        check(depth <= MAX_DEPTH, path, "at most " + MAX_DEPTH + " values within each other");
        Felt encoded;
        if (types.fields(type) != null) {
            encoded = struct(type, value, path);
        } else if (type.endsWith("*")) {
            encoded = hash.many(elements(TypeTable.element(type), value, path), path);
        } else {
            encoded = scalars.encode(type, value, path);
        }
        depth--;
        return encoded;
    }

    private List<Felt> elements(String type, JsonNode array, String path) {
        check(array.isArray(), path, "an array of the type " + type);
        List<Felt> elements = new ArrayList<>();
        for (JsonNode element : array) {
            elements.add(value(type, element, path + '[' + elements.size() + ']'));
        }
        return elements;
    }

    private Felt merkleTree(Field field, JsonNode leaves, String path) {
        String type = field.requiredContains(path);
        check(!type.endsWith("*"), path, "a tree of anything but arrays");
        List<Felt> hashes = elements(type, leaves, path);
        check(!hashes.isEmpty(), path, "at least one leaf");
        return MerkleRoot.of(hashes, hash, path);
    }

    private Felt variant(Field field, JsonNode value, String path) {
        String type = field.requiredContains(path);
        List<Field> variants = types.fields(type);
        check(variants != null, path, "an enum that is one of \"types\"");
        check(value.isObject() && value.size() == 1, path, "an object with the variant's name and data");
        Map.Entry<String, JsonNode> chosen = value.properties().iterator().next();
        List<Field> known = variants == null ? List.of() : variants;
        hash.spend(known.size(), path);
        for (int index = 0; index < known.size(); index++) {
            if (known.get(index).name().equals(chosen.getKey())) {
                return variant(index, known.get(index), chosen.getValue(), path + '.' + chosen.getKey());
            }
        }
        throw new IllegalArgumentException(path + ": an unknown variant (expected: one of " + type + ")");
    }

    private Felt variant(int index, Field variant, JsonNode data, String path) {
        check(Field.isTuple(variant.type()), path, "a variant with its types in parentheses");
        List<String> parts = Field.parts(variant.type());
        boolean isEmpty = parts.equals(List.of(""));
        check(data.isArray() && data.size() == (isEmpty ? 0 : parts.size()), path, "an array for " + variant.type());
        List<Felt> hashed = new ArrayList<>();
        hashed.add(Felt.of(index));
        if (isEmpty) {
            hashed.add(Felt.ZERO);
        }
        for (int part = 0; part < data.size(); part++) {
            hashed.add(value(parts.get(part), data.path(part), path + '[' + part + ']'));
        }
        return hash.many(hashed, path);
    }
}
