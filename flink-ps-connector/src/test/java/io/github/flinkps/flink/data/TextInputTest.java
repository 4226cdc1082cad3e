package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextInputTest {
    @TempDir Path folder;

    private String write(String name, String text) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        return path.toString();
    }

    @Test
    void listsFoldersByNameWithoutHiddenAndEmptyFiles() throws IOException {
        String b = write("in/b", "1\n");
        String ten = write("in/a/10", "1\n");
        String nine = write("in/a/9", "1\n");
        String spaced = write("in/c d%20", "1\n");
        write("in/.hidden", "1\n");
        write("in/_SUCCESS", "1\n");
        write("in/_tmp/x", "1\n");
        write("in/empty", "");
        String other = write("other", "1\n");
        List<TextFile> files = TextInput.list(List.of(other, folder.resolve("in").toString()));
        assertThat(files)
                .extracting(TextFile::displayName)
                .containsExactly(other, ten, nine, b, spaced);
        assertThat(files).extracting(TextFile::ordinal).containsExactly(0, 1, 2, 3, 4);
        assertThat(files).allMatch(file -> file.length() == 2 && !file.gzip());
    }

    @Test
    void namesWhatIsMissingOrEmpty() throws IOException {
        String missing = folder.resolve("missing").toString();
        String empty = write("empty", "");
        String hidden = write("none/.x", "1\n");
        String none = Path.of(hidden).getParent().toString();
        assertThatThrownBy(() -> TextInput.list(List.of(missing)))
                .isInstanceOf(InputException.class)
                .hasMessage("input " + missing + " does not exist");
        assertThatThrownBy(() -> TextInput.list(List.of(empty)))
                .isInstanceOf(InputException.class)
                .hasMessage("input " + empty + " is empty");
        assertThatThrownBy(() -> TextInput.list(List.of(none)))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "input folder "
                                + none
                                + " holds no file to read: those whose names begin with . or _ are"
                                + " left out");
        write("none/_x", "1\n");
        write("none/_in/x", "1\n");
        assertThatThrownBy(() -> TextInput.list(List.of(none)))
                .hasMessageContaining("holds no file to read");
        write("none/in/empty", "");
        assertThatThrownBy(() -> TextInput.list(List.of(none)))
                .hasMessage("input folder " + none + " holds no rows: no file in it has any bytes");
        assertThatThrownBy(() -> TextInput.list(List.of("nosuchscheme://x/y")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("nosuchscheme://x/y");
        assertThatThrownBy(() -> TextInput.list(List.of(""))).isInstanceOf(InputException.class);
    }

    @Test
    void choosesBlocksByTheSizeOfTheInput() {
        assertThat(TextInput.blockSize(List.of(file(1)))).isEqualTo(1 << 14);
        assertThat(TextInput.blockSize(List.of(file(1L << 25), file(1)))).isEqualTo(1 << 17);
        assertThat(TextInput.blockSize(List.of(file(1L << 40)))).isEqualTo(1 << 20);
    }

    private static TextFile file(long length) {
        return new TextFile("file:/x", 0, length, false);
    }

    @Test
    void makesRelativePathsAbsolute() {
        String here = Path.of("").toAbsolutePath().toString();
        assertThat(TextInput.absolute("rows/a 1%20")).isEqualTo(here + "/rows/a 1%20");
        assertThat(TextInput.absolute("/rows")).isEqualTo("/rows");
        assertThat(TextInput.absolute("s3://bucket/rows")).isEqualTo("s3://bucket/rows");
        assertThat(TextInput.absolute("file:/rows")).isEqualTo("file:/rows");
    }
}
