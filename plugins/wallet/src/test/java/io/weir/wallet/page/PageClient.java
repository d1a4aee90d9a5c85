package io.weir.wallet.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Requests of the approvals page from one address, as a browser sends them. A cookie is given as it was set. Its path tells the page of
 * the session, below which the request goes. Immutable.
 */
public record PageClient(ApprovalsPage page, InetAddress peer) {

    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");
    private static final Pattern SESSION = Pattern.compile("; Path=/plugins/wallet/approvals/([^;/]+)");
    private static final String FORM = "application/x-www-form-urlencoded";

    public PageClient(ApprovalsPage page) {
        this(page, InetAddress.getLoopbackAddress());
    }

    public Response get(String subPath, String cookie, Map<String, String> query) {
        return get(below(cookie, subPath), Map.of("cookie", sent(cookie)), query);
    }

    public Response post(String subPath, String cookie, Map<String, String> fields) {
        return post(below(cookie, subPath), Map.of("cookie", sent(cookie), "content-type", FORM), fields);
    }

    private static String sent(String cookie) {
        return cookie.split(";")[0];
    }

    private static String below(String cookie, String subPath) {
        return (session(cookie) + "/" + subPath).replaceAll("^/|/$", "");
    }

    /** Returns the name of a cookie's session, which is the end of its path; empty for a cookie without one. */
    static String session(String cookie) {
        Matcher session = SESSION.matcher(cookie);
        return session.find() ? session.group(1) : "";
    }

    Response get(String subPath, Map<String, String> headers, Map<String, String> query) {
        return page.handle(new Request("GET", subPath, query, headers, new byte[0], peer))
                .toCompletableFuture()
                .join();
    }

    Response post(String subPath, Map<String, String> headers, Map<String, String> fields) {
        return post(
                subPath,
                headers,
                fields.entrySet().stream()
                        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                        .collect(Collectors.joining("&")));
    }

    Response post(String subPath, Map<String, String> headers, String body) {
        return page.handle(new Request("POST", subPath, Map.of(), headers, body.getBytes(UTF_8), peer))
                .toCompletableFuture()
                .join();
    }

    /** Tries to sign in. */
    Response signIn(String credential) {
        return post("sign-in", "", Map.of("credential", credential));
    }

    /** Signs in, and gives the cookie. */
    public String signedIn(String credential) {
        Response response = signIn(credential);
        assertThat(response.status()).as(text(response)).isEqualTo(303);
        return response.headers().get("Set-Cookie");
    }

    /** The token of a session's forms. */
    public String token(String cookie) {
        Matcher found = TOKEN.matcher(text(get("", cookie, Map.of())));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    Response decide(String cookie, String token, String id, String decision) {
        return post("decision", cookie, Map.of("token", token, "id", id, "decision", decision));
    }

    public static String text(Response response) {
        return new String(response.body(), UTF_8);
    }
}
