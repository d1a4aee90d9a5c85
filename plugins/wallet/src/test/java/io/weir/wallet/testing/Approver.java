package io.weir.wallet.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A person at the approvals page of a running proxy, without a browser. Immutable.
 *
 * @param page the address of the page
 */
public record Approver(String page, String credential) {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");
    private static final Pattern REQUEST = Pattern.compile("/request\\?id=([^\"]+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** A person at the page of the admin listener at this port. */
    public static Approver at(int adminPort, String credential) {
        return new Approver("http://127.0.0.1:" + adminPort + "/plugins/wallet/approvals", credential);
    }

    /**
     * Signs in, waits for a request and decides on it.
     *
     * @param decision {@code approve} or {@code refuse}
     */
    public void decide(String decision) {
        HttpResponse<String> signedIn = post(page + "/sign-in", "", "credential=" + credential);
        String cookie =
                signedIn.headers().firstValue("set-cookie").orElseThrow().split(";")[0];
        String list = URI.create(page)
                .resolve(signedIn.headers().firstValue("location").orElseThrow())
                .toString();
        Matcher request = await().atMost(PATIENCE).until(() -> REQUEST.matcher(get(list, cookie)), Matcher::find);
        Matcher token = TOKEN.matcher(get(list + "/request?id=" + request.group(1), cookie));
        assertThat(token.find()).isTrue();
        String form = "token=" + URLEncoder.encode(token.group(1), UTF_8) + "&id=" + request.group(1) + "&decision="
                + decision;
        assertThat(post(list + "/decision", cookie, form).statusCode()).isLessThan(400);
    }

    private static String get(String url, String cookie) {
        return send(HttpRequest.newBuilder(URI.create(url))
                        .header("cookie", cookie)
                        .build())
                .body();
    }

    private HttpResponse<String> post(String url, String cookie, String form) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", page.substring(0, page.indexOf("/plugins")))
                .POST(HttpRequest.BodyPublishers.ofString(form));
        return send((cookie.isEmpty() ? request : request.header("cookie", cookie)).build());
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
