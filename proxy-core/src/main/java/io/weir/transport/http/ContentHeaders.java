package io.weir.transport.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules for the headers about content: the type and the encoding of a request, and the encoding that its client accepts. */
final class ContentHeaders {

    private static final Set<String> JSON =
            Set.of("application/json", "application/json-rpc", "application/jsonrequest");
    private static final Set<String> UTF8 = Set.of("utf-8", "utf8");
    private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
    private static final Set<String> PLAIN = Set.of("identity", "");
    private static final Pattern WEIGHT = Pattern.compile("(0(\\.[0-9]{0,3})?)|(1(\\.0{0,3})?)");
    private static final Pattern ZERO = Pattern.compile("0(\\.0*)?");

    private ContentHeaders() {}

    /** Returns whether these Content-Type headers mean JSON in UTF-8. No header means it too. */
    static boolean isJson(List<String> headers) {
        if (headers.isEmpty()) {
            return true;
        }
        String[] parts = headers.get(0).split(";", -1);
        if (headers.size() > 1 || !JSON.contains(plain(parts[0]))) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = plain(parts[i]);
            if (parameter.startsWith("charset=") && !isUtf8(parameter.substring("charset=".length()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUtf8(String charset) {
        boolean quoted = charset.length() > 1 && charset.startsWith("\"") && charset.endsWith("\"");
        return UTF8.contains(quoted ? charset.substring(1, charset.length() - 1) : charset);
    }

    /** Returns whether these Content-Encoding headers name gzip, RFC 1952, alone. */
    static boolean isGzip(List<String> headers) {
        return headers.size() == 1 && GZIP.contains(plain(headers.get(0)));
    }

    /** Returns whether these Content-Encoding headers name no encoding. */
    static boolean isPlain(List<String> headers) {
        return headers.isEmpty() || (headers.size() == 1 && PLAIN.contains(plain(headers.get(0))));
    }

    /**
     * Returns whether these Accept-Encoding headers allow gzip, by RFC 9110, section 12.5.3. No header means no encoding. Unreadable
     * values allow nothing.
     */
    static boolean allowGzip(List<String> headers) {
        boolean any = false;
        boolean named = false;
        boolean gzip = false;
        for (String header : headers) {
            for (String element : header.split(",", -1)) {
                String[] parts = element.split(";", -1);
                String coding = plain(parts[0]);
                if (GZIP.contains(coding)) {
                    named = true;
                    gzip |= isWanted(parts);
                } else if (coding.equals("*")) {
                    any |= isWanted(parts);
                }
            }
        }
        return named ? gzip : any;
    }

    private static boolean isWanted(String[] parts) {
        if (parts.length == 1) {
            return true;
        }
        String weight = plain(parts[1]);
        if (parts.length > 2 || !weight.startsWith("q=")) {
            return false;
        }
        String number = weight.substring(2);
        return WEIGHT.matcher(number).matches() && !ZERO.matcher(number).matches();
    }

    private static String plain(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }
}
