package io.weir.transport.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The encodings that a client accepts, by RFC 9110, section 12.5.3. */
public final class AcceptEncoding {

    private static final Pattern WEIGHT = Pattern.compile("(0(\\.[0-9]{0,3})?)|(1(\\.0{0,3})?)");
    private static final Pattern ZERO = Pattern.compile("0(\\.0*)?");

    private AcceptEncoding() {}

    /**
     * Returns whether these Accept-Encoding headers allow gzip. No header means no encoding. Unreadable values allow
     * nothing.
     */
    public static boolean allowsGzip(List<String> headers) {
        boolean any = false;
        boolean named = false;
        boolean gzip = false;
        for (String header : headers) {
            for (String element : header.split(",", -1)) {
                String[] parts = element.split(";", -1);
                String coding = parts[0].strip().toLowerCase(Locale.ROOT);
                if (coding.equals("gzip") || coding.equals("x-gzip")) {
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
        String weight = parts[1].strip().toLowerCase(Locale.ROOT);
        if (parts.length > 2 || !weight.startsWith("q=")) {
            return false;
        }
        String number = weight.substring(2);
        return WEIGHT.matcher(number).matches() && !ZERO.matcher(number).matches();
    }
}
