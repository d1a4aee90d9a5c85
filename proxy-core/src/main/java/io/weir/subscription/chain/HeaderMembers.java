package io.weir.subscription.chain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Members that a header takes over from a node's block, in their order. Immutable and thread-safe. */
final class HeaderMembers {

    private final List<String> names;
    private final NameTable table;

    HeaderMembers(List<String> names) {
        this.names = List.copyOf(names);
        this.table = NameTable.of(names);
    }

    /** Returns the members that a block has. */
    Map<String, RawJson> of(RawJson block) throws JsonSyntaxException {
        Map<String, RawJson> members = new HashMap<>();
        JsonScanner scanner = JsonScanner.delimiters(block.array(), block.offset(), block.length());
        scanner.peek();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            String name = scanner.knownMember(table);
            int start = scanner.position();
            scanner.skip();
            if (name != null) {
                members.putIfAbsent(name, RawJson.slice(block.array(), start, scanner.position() - start));
            }
            more = scanner.nextEntry();
        }
        return members;
    }

    /** Returns the header of these members, without those that are null. */
    RawJson text(Map<String, RawJson> members) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(1_536);
        for (String name : names) {
            RawJson value = members.get(name);
            if (value == null || isAbsent(value)) {
                continue;
            }
            text.write(text.size() == 0 ? '{' : ',');
            text.writeBytes(('"' + name + "\":").getBytes(UTF_8));
            text.write(value.array(), value.offset(), value.length());
        }
        if (text.size() == 0) {
            text.write('{');
        }
        text.write('}');
        return RawJson.of(text.toByteArray());
    }

    /** Returns the position in that header of the value of a member, which is not null. */
    int position(Map<String, RawJson> members, String member) {
        int position = 0;
        for (String name : names) {
            RawJson value = members.get(name);
            if (value == null || isAbsent(value)) {
                continue;
            }
            position += name.length() + 4;
            if (name.equals(member)) {
                break;
            }
            position += value.length();
        }
        return position;
    }

    private static boolean isAbsent(RawJson value) {
        return value.first() == 'n';
    }
}
