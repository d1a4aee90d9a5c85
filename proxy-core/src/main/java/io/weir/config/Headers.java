package io.weir.config;

import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Form;
import io.weir.api.setting.TextRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Headers of requests, by name. Their values are secrets. */
final class Headers implements Form<Map<String, String>> {

    private static final TextRule VALUE = TextRule.matching(
            "|[\\x21-\\x7e]([\\x20-\\x7e\\t]{0,8190}[\\x21-\\x7e])?", "a header value: printable ASCII, no line ends");

    /** Headers that the proxy writes itself. Another value would change the end of a request or its meaning. */
    private static final Set<String> OWN = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "sec-websocket-extensions",
            "sec-websocket-key",
            "sec-websocket-protocol",
            "sec-websocket-version",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    @Override
    public Map<String, String> read(Binder binder, Block block, String name) {
        Block headers = block.block(name);
        Map<String, String> read = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        headers.settings().forEach((header, setting) -> {
            setting.secret();
            if (!header.matches(Forms.TOKEN)) {
                // The name is hidden: "Authorization: Bearer …" as a name is an easy mistake.
                setting.wrongIn(headers, "header names of letters, digits and hyphens, each with its value after =");
                return;
            }
            if (OWN.contains(header.toLowerCase(Locale.ROOT))) {
                setting.wrongName("another header: this one is the proxy's own");
            } else if (!names.add(header)) {
                setting.wrongName("each header once, in whatever case");
            }
            read.put(header, setting.text(VALUE));
        });
        return Collections.unmodifiableMap(read);
    }

    @Override
    public String rule() {
        return "a block such as { X-Tenant = \"a\" }";
    }
}
