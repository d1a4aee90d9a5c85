package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what the admin listener shows. Thread-safe. */
public final class AdminClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String address;

    /** @param address of the admin listener, as a URL without a path */
    public AdminClient(String address) {
        this.address = address;
    }

    /** The HTTP status of {@code /health/ready}. */
    public int readyStatus() {
        return get("/health/ready").statusCode();
    }

    /** Whether an upstream is in the pool, and why not: {@code healthy}, {@code down} and so on. */
    public String health(String network, String upstream) {
        return upstream(network, upstream).path("health").asString();
    }

    /** Why an upstream is not healthy. */
    public String detail(String network, String upstream) {
        return upstream(network, upstream).path("detail").asString();
    }

    /** Returns what {@code /status} shows. */
    public JsonNode status() {
        return JSON.readTree(get("/status").body());
    }

    private JsonNode upstream(String network, String upstream) {
        JsonNode status = status();
        for (JsonNode one : status.at("/networks/" + network + "/upstreams")) {
            if (one.path("id").asString().equals(upstream)) {
                return one;
            }
        }
        throw new AssertionError("upstream: " + upstream + " (expected: one in " + status + ")");
    }

    /**
     * The sum of the values of a meter whose lines hold all of these labels.
     *
     * @param labels each as {@code name="value"}
     */
    public double metric(String name, String... labels) {
        double sum = 0;
        for (String line : metrics().split("\n")) {
            if (line.matches(Pattern.quote(name) + "[ {].*") && holds(line, labels)) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return sum;
    }

    /** All meters, in Prometheus text. */
    public String metrics() {
        HttpResponse<String> response = get("/metrics");
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    private static boolean holds(String line, String... labels) {
        for (String label : labels) {
            if (!line.contains(label)) {
                return false;
            }
        }
        return true;
    }

    private HttpResponse<String> get(String path) {
        return JsonRpcClient.get(address + path);
    }
}
