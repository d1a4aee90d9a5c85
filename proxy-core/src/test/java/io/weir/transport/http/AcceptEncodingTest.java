package io.weir.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptEncodingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "x-gzip",
                "GZIP ; Q=0.001",
                "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "*",
                "*;q=0.5",
                "deflate, *;q=1.000",
                "identity;q=0, *",
                "gzip;q=0, x-gzip",
                "gzip, *;q=0",
                ", gzip,"
            })
    void gzipIsAllowed(String header) {
        assertThat(AcceptEncoding.allowsGzip(List.of(header))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "identity",
                "gzip;q=0",
                "gzip;q=0.000",
                "gzip;q=0, *",
                "*;q=0",
                "br, deflate",
                "identity;q=0",
                "gzip;q=2",
                "gzip;q=0.1234",
                "gzip;q=-1",
                "gzip;q=",
                "gzip;level=9",
                "gzip;q=1;x=y",
                "gzipped",
                "g zip"
            })
    void gzipIsNotAllowed(String header) {
        assertThat(AcceptEncoding.allowsGzip(List.of(header))).isFalse();
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(AcceptEncoding.allowsGzip(List.of())).isFalse();
        assertThat(AcceptEncoding.allowsGzip(List.of("br", "gzip"))).isTrue();
        assertThat(AcceptEncoding.allowsGzip(List.of("*", "gzip;q=0"))).isFalse();
    }
}
