package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(files).allMatch(file -> file.length() == 2 && !file.packed());
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "part-2024-01-01T10:00:00.svm",
                "x:y.svm",
                "100%.svm",
                "%20#?a.svm",
                " a b .svm ",
                "file:x",
            })
    void aFileNameIsNoUri(String name) throws IOException {
        String alone = write("in/" + name, "1 1:1\n");
        for (String input :
                List.of(alone, folder.resolve("in").toString(), TextInput.absolute(alone))) {
            List<TextFile> files = TextInput.list(List.of(input));
            assertThat(files).extracting(TextFile::displayName).containsExactly(alone);
            try (TextStream stream = TextStream.open(files.get(0))) {
                assertThat(stream.read(new byte[9], 0, 9)).isEqualTo(6);
            }
        }
        String uri = Path.of(write("plain", "1 1:1\n")).toUri().toString();
        assertThat(TextInput.list(List.of(uri))).hasSize(1);
    }

    /** Names are relative to the folder of this process, where nothing else has this one. */
    @Test
    void aRelativeNameMayHaveAColon() throws IOException {
        String name = "x:" + System.nanoTime() + ".svm";
        Path file = Files.writeString(Path.of(name), "1 1:1\n");
        try {
            String absolute = file.toAbsolutePath().toString();
            assertThat(TextInput.absolute(name)).isEqualTo(absolute);
            assertThat(TextInput.list(List.of(name)))
                    .extracting(TextFile::displayName)
                    .containsExactly(absolute);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void saysWhatCanBeReadOnlyOnceAndHowAFileIsPacked() throws Exception {
        String pipe = folder.resolve("in/pipe").toString();
        Files.createDirectories(folder.resolve("in"));
        assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
        for (String input : List.of(pipe, folder.resolve("in").toString())) {
            assertThatThrownBy(() -> TextInput.list(List.of(input)))
                    .hasMessage(
                            "input "
                                    + pipe
                                    + " is a pipe or device, which can be read only once, and rows"
                                    + " are read several times: write it to a file first");
        }
        assertThatThrownBy(() -> TextInput.list(List.of("-")))
                .hasMessageContaining("input - stands for standard input, which can be read only");
        String[] heads = {
            "bzip2",
            "425a683931415926",
            "xz",
            "fd377a585a0000",
            "zstd",
            "28b52ffd04",
            "zip",
            "504b0304",
            "lz4",
            "04224d1864",
            "Avro",
            "4f626a01"
        };
        for (int i = 0; i < heads.length; i += 2) {
            String program = heads[i];
            Path packed = folder.resolve("packed." + program);
            Files.write(packed, HexFormat.of().parseHex(heads[i + 1]));
            assertThatThrownBy(() -> TextInput.list(List.of(packed.toString())))
                    .hasMessage(
                            "input "
                                    + packed
                                    + " cannot be read: it is of "
                                    + program
                                    + "; rows are read from text, plain or gzip, and from Parquet");
        }
        write("csv/a", "PAR1,BZh,Obj\n");
        write("csv/b", "B");
        assertThat(TextInput.list(List.of(folder.resolve("csv").toString()))).hasSize(2);
    }

    @Test
    void choosesBlocksByTheSizeOfTheInput() {
        assertThat(TextInput.blockSize(List.of(file(1)))).isEqualTo(61);
        assertThat(TextInput.blockSize(List.of(file(1L << 25), file(1)))).isEqualTo((1 << 17) - 3);
        assertThat(TextInput.blockSize(List.of(file(1L << 40)))).isEqualTo((1 << 20) - 3);
    }

    private static TextFile file(long length) {
        return new TextFile("file:/x", 0, length, Packing.NONE);
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
