package io.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.AdminPage.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The responses of the admin listener: texts, and the files of the page for people. Thread-safe. */
final class AdminResponses {

    private AdminResponses() {}

    static Response text(int status, String text) {
        return new Response(status, "text/plain; charset=utf-8", Map.of(), (text + "\n").getBytes(UTF_8));
    }

    static Response json(int status, String json) {
        return new Response(status, "application/json", Map.of(), (json + "\n").getBytes(UTF_8));
    }

    static Response notAllowed(String allow) {
        Response response = text(405, "no such verb here (expected: " + allow + ")");
        return new Response(response.status(), response.contentType(), Map.of("Allow", allow), response.body());
    }

    static Response unknownNetwork() {
        return text(404, "network: unknown (expected: one of the configured networks)");
    }

    /** Returns the file of the page for people at a path, or null. */
    static @Nullable Response file(String path) {
        return PageFiles.FILES.get(path);
    }

    /**
     * The files of the page for people, read with the first request for one. They hold no figures and no secrets. The page loads nothing
     * from elsewhere, and no frame shows it. Thread-safe.
     */
    private static final class PageFiles {

        private static final Map<String, String> GUARDS = Map.of(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none';"
                        + " base-uri 'none'; frame-ancestors 'none'",
                "X-Content-Type-Options",
                "nosniff",
                "X-Frame-Options",
                "DENY",
                "Referrer-Policy",
                "same-origin",
                "Cross-Origin-Opener-Policy",
                "same-origin",
                "Cross-Origin-Resource-Policy",
                "same-origin");

        static final Map<String, Response> FILES = Map.of(
                "/page.html", file("page.html", "text/html; charset=utf-8"),
                "/page.css", file("page.css", "text/css; charset=utf-8"),
                "/page.js", file("page.js", "text/javascript; charset=utf-8"),
                "/page.svg", file("page.svg", "image/svg+xml"));

        private static Response file(String name, String type) {
            try (InputStream file = PageFiles.class.getResourceAsStream(name)) {
                if (file == null) {
                    throw new IllegalStateException(name + ": missing (expected: beside " + PageFiles.class + ")");
                }
                return new Response(200, type, GUARDS, file.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(name, e);
            }
        }
    }
}
