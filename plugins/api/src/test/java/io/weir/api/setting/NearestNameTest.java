package io.weir.api.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

    private static final List<List<String>> KNOWN = List.of(
            path("server.max-body"),
            path("server.max-batch"),
            path("server.port"),
            path("admin.port"),
            path("networks.a.kind"),
            path("networks.b.kind"));

    private static List<String> path(String dotted) {
        return Arrays.asList(dotted.split("\\."));
    }

    @ParameterizedTest
    @CsvSource({
        "server.max-bodi, server.max-body",
        "server.maxbody, server.max-body",
        "server.max-bacth, server.max-batch",
        "server.prot, server.port",
        "networks.b.kin, networks.b.kind",
        "max-body, server.max-body",
        "server.kind, networks.a.kind"
    })
    void theNearestIsOneOfFewOtherLettersOrTheSameNameElsewhere(String unknown, String nearest) {
        assertThat(NearestName.nearest(path(unknown), KNOWN)).isEqualTo(path(nearest));
    }

    @Test
    void nothingIsGuessedWhereNothingIsNear() {
        assertThat(NearestName.nearest(path("server.colour"), KNOWN)).isNull();
        assertThat(NearestName.nearest(path("server.x"), List.of(path("server.yz"))))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "abc, abc, 0",
        "abc, '', 3",
        "'', ab, 2",
        "prot, port, 1",
        "kitten, sitting, 3",
        "ab, ba, 1"
    })
    void lettersChangedLeftOutAddedOrSwappedCountOne(String a, String b, int distance) {
        assertThat(NearestName.distance(a, b)).isEqualTo(distance);
        assertThat(NearestName.distance(b, a)).isEqualTo(distance);
    }
}
