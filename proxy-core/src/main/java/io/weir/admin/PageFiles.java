package io.weir.admin;

import io.weir.api.AdminPage.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page for people. They hold no figures and no secrets. The page loads nothing from elsewhere, and no frame shows it.
 * Thread-safe.
 */
final class PageFiles {

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

    private static final Map<String, Response> FILES = Map.of(
            "/page.html", file("page.html", "text/html; charset=utf-8"),
            "/page.css", file("page.css", "text/css; charset=utf-8"),
            "/page.js", file("page.js", "text/javascript; charset=utf-8"),
            "/page.svg", file("page.svg", "image/svg+xml"));

    private PageFiles() {}

    /** Returns the file at a path, or null. */
    static @Nullable Response get(String path) {
        return FILES.get(path);
    }

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
