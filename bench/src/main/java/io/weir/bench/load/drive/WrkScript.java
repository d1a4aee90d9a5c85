package io.weir.bench.load.drive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.server.Workshop;
import io.weir.bench.load.traffic.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes Lua for wrk: whole requests made once where they repeat, and put together from three texts where each is another. */
final class WrkScript {

    private static final String DONE = """
            done = function(summary, latency, requests)
              local e = summary.errors
              io.write(string.format("RESULT %d %d %d %d %d %d %d %d\\n", summary.requests, summary.duration,
                summary.bytes, e.connect, e.read, e.write, e.status, e.timeout))
            end
            """;

    @SuppressWarnings("InlineFormatString") // Files of their own, which read better alone.
    private static final String SAME = """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            local file = io.open("%s", "rb")
            wrk.body = file:read("*a")
            file:close()
            """;

    @SuppressWarnings("InlineFormatString")
    private static final String SEQUENCE = """
            local requests, next = {}, 0
            init = function()
              wrk.headers["Content-Type"] = "application/json"
              for line in io.lines("%s") do
                requests[#requests + 1] = wrk.format("POST", nil, nil, line)
              end
            end
            request = function()
              next = next %% #requests + 1
              return requests[next]
            end
            """;

    @SuppressWarnings("InlineFormatString")
    private static final String FRESH = """
            local head = "POST %s HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n"
            local before, after, number, digits = head .. [[%s]], [[%s]], 0, string.format
            request = function()
              number = number + 1
              return before .. digits("%%08x", number) .. after
            end
            """;

    private WrkScript() {}

    static Path write(Workshop workshop, Target target, Traffic traffic) throws IOException {
        return workshop.write("wrk.lua", requests(workshop, target, traffic) + DONE);
    }

    private static String requests(Workshop workshop, Target target, Traffic traffic) throws IOException {
        Path bodies = workshop.file("wrk.bodies");
        if (traffic instanceof Traffic.Same same) {
            Files.write(bodies, same.body());
            return SAME.formatted(bodies);
        }
        if (traffic instanceof Traffic.Sequence sequence) {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            for (byte[] body : sequence.bodies()) {
                lines.writeBytes(body);
                lines.write('\n');
            }
            Files.write(bodies, lines.toByteArray());
            return SEQUENCE.formatted(bodies);
        }
        Traffic.Fresh fresh = (Traffic.Fresh) traffic;
        int length = new String(fresh.body(0), ISO_8859_1).length();
        return FRESH.formatted(target.path(), target.port(), length, fresh.prefix(), fresh.after());
    }
}
