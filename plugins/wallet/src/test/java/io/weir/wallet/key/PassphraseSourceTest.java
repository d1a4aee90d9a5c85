package io.weir.wallet.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PassphraseSourceTest {

    @TempDir
    private Path folder;

    private PassphraseSource file(String content) throws Exception {
        Path file = Files.writeString(folder.resolve("passphrase"), content);
        return new PassphraseSource(file, "UNUSED", name -> "from the environment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a long passphrase", "a long passphrase\n", "a long passphrase\r\n"})
    void theEndOfALineIsNoPartOfIt(String content) throws Exception {
        assertThat(file(content).read()).isEqualTo("a long passphrase".getBytes(UTF_8));
    }

    @Test
    void spacesAndLettersOfAnyLanguageAre() throws Exception {
        assertThat(file(" пароль пароль ").read()).isEqualTo(" пароль пароль ".getBytes(UTF_8));
    }

    @Test
    void whereAFileIsNamedTheEnvironmentIsNotAsked() throws Exception {
        assertThat(new String(file("of the file").read(), UTF_8)).isEqualTo("of the file");
        PassphraseSource none = new PassphraseSource(null, "NAMED", Map.of("NAMED", "of the environment")::get);
        assertThat(new String(none.read(), UTF_8)).isEqualTo("of the environment");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 1025, 5000})
    void oneOfAWrongLengthIsRefusedUnseen(int length) throws Exception {
        PassphraseSource source = file("x".repeat(length));
        assertThatThrownBy(source::read)
                .isInstanceOf(SeedException.class)
                .hasMessageContaining("from 8 to 1024")
                .hasMessageNotContaining("xxxxxxx");
    }

    @Test
    void whereThereIsNoneItIsSaidWhatToSet() {
        assertThatThrownBy(() -> new PassphraseSource(null, "", name -> null).read())
                .hasMessage("passphrase: none (expected: seeds.passphrase-file or seeds.passphrase-env)");
        assertThatThrownBy(() -> new PassphraseSource(null, "NAMED", name -> null).read())
                .hasMessageContaining("the variable that seeds.passphrase-env names is not set");
        assertThatThrownBy(() -> new PassphraseSource(null, "WEIR_WALLET_PASSPHRASE", name -> null).read())
                .hasMessageContaining("the variable WEIR_WALLET_PASSPHRASE is not set");
        assertThatThrownBy(() -> new PassphraseSource(folder.resolve("none"), "", name -> null).read())
                .hasMessageContaining("its file cannot be read: NoSuchFileException")
                .hasMessageNotContaining(folder.toString());
    }
}
