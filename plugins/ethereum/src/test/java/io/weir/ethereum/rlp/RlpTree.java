package io.weir.ethereum.rlp;

import io.weir.ethereum.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** RLP of any shape, to be made by chance, written, and read to the last byte. */
sealed interface RlpTree {
    record Leaf(Bytes value) implements RlpTree {}

    record Branch(List<RlpTree> items) implements RlpTree {}

    static RlpTree random(Random random, int depth, int longestValue) {
        if (depth == 0 || random.nextInt(3) == 0) {
            byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(longestValue) : random.nextInt(60)];
            random.nextBytes(value);
            return new Leaf(Bytes.wrap(value));
        }
        List<RlpTree> items = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            items.add(random(random, depth - 1, longestValue));
        }
        return new Branch(items);
    }

    default void write(RlpWriter writer) {
        if (this instanceof Leaf leaf) {
            writer.bytes(leaf.value());
        } else if (this instanceof Branch branch) {
            writer.nested(list -> branch.items().forEach(item -> item.write(list)));
        }
    }

    default byte[] encoded() {
        RlpWriter writer = new RlpWriter();
        write(writer);
        return writer.toByteArray();
    }

    static RlpTree decode(byte[] encoded) {
        RlpReader reader = RlpReader.of(encoded);
        RlpTree tree = read(reader);
        reader.end();
        return tree;
    }

    private static RlpTree read(RlpReader reader) {
        return reader.nextIsList() ? new Branch(reader.listOf(RlpTree::read)) : new Leaf(reader.bytes());
    }
}
