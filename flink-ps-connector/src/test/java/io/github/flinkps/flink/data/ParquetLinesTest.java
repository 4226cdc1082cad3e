package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetLinesTest {
    @TempDir private Path folder;

    private Path write(String schema, Group... rows) throws IOException {
        Path file = folder.resolve("table.parquet");
        Files.deleteIfExists(file);
        MessageType type = MessageTypeParser.parseMessageType(schema);
        try (ParquetWriter<Group> writer =
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                        .withConf(new PlainParquetConfiguration())
                        .withType(type)
                        .withRowGroupSize(1024L)
                        .withPageSize(64)
                        .build()) {
            for (Group row : rows) {
                writer.write(row);
            }
        }
        return file;
    }

    private static Group row(String schema) {
        return new SimpleGroup(MessageTypeParser.parseMessageType(schema));
    }

    private static String text(Path file) throws IOException {
        TextFile input = TextInput.list(List.of(file.toString())).get(0);
        byte[] bytes = new byte[1 << 20];
        int count = 0;
        try (TextStream stream = TextStream.open(input)) {
            for (int read = stream.read(bytes, 0, 7);
                    read >= 0;
                    read = stream.read(bytes, count, 7)) {
                count += read;
                assertThat(stream.position()).isEqualTo(count);
            }
        }
        return new String(bytes, 0, count, StandardCharsets.UTF_8);
    }

    @Test
    void valuesAreWrittenAsCsvHasThem() throws IOException {
        String schema =
                "message t { optional boolean b; optional int32 i; optional int32 u (UINT_8);"
                        + " optional int64 l; optional float f; optional double d;"
                        + " optional binary s (STRING); optional binary raw;"
                        + " optional int32 day (DATE); optional int64 money (DECIMAL(10,2));"
                        + " required binary \"odd, name\" (STRING); }";
        String plain = schema.replace("\"odd, name\"", "name");
        Group full = row(plain);
        full.append("b", true).append("i", -3).append("u", 200).append("l", 1L << 40);
        full.append("f", 1.5f).append("d", 1e-300).append("s", "a \"b\", c");
        full.append("raw", Binary.fromString("größe")).append("day", 18263).append("money", 125L);
        full.append("name", " x");
        Group empty = row(plain);
        empty.append("name", "");
        assertThat(text(write(plain, full, empty)))
                .isEqualTo(
                        "b,i,u,l,f,d,s,raw,day,money,name\n"
                                + "1,-3,200,1099511627776,1.5,1.0E-300,\"a \"\"b\"\", c\",größe,"
                                + "2020-01-02,1.25,\" x\"\n"
                                + ",,,,,,,,,,\n");
    }

    @Test
    void allGroupsOfRowsAreRead() throws IOException {
        String schema = "message t { required int32 n; required binary s (STRING); }";
        Group[] rows = new Group[2000];
        StringBuilder expected = new StringBuilder("n,s\n");
        for (int i = 0; i < rows.length; i++) {
            rows[i] = row(schema);
            rows[i].append("n", i).append("s", "text " + i % 7);
            expected.append(i).append(",text ").append(i % 7).append('\n');
        }
        assertThat(text(write(schema, rows))).isEqualTo(expected.toString());
    }

    @Test
    void aMissingValueOfTheOnlyColumnKeepsItsLine() throws IOException {
        String schema = "message t { optional int32 n; }";
        Group some = row(schema);
        some.append("n", 7);
        assertThat(text(write(schema, row(schema), some))).isEqualTo("n\n\n7\n");
    }

    @Test
    void aColumnWithMoreThanOneValueIsNamed() throws IOException {
        String schema = "message t { required int32 n; repeated int32 many; }";
        Group one = row(schema);
        one.append("n", 1);
        Path file = write(schema, one);
        assertThatThrownBy(() -> text(file))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        file
                                + " cannot be read: column many is nested; a column must have one"
                                + " value a row");
    }

    @Test
    void damageIsTold() throws IOException {
        String schema = "message t { required int32 n; }";
        Group one = row(schema);
        one.append("n", 1);
        Path file = write(schema, one);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 9));
        assertThatThrownBy(() -> text(file))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(file + " cannot be read: it is damaged: ");
    }

    @Test
    void isForFormatsWithNamesOfColumns() throws IOException {
        String schema = "message t { required int32 n; }";
        Group one = row(schema);
        one.append("n", 1);
        String file = write(schema, one).toString();
        RowFormat libsvm = LibsvmFormat.of(Labels.ANY);
        assertThatThrownBy(() -> RowPreview.scan(List.of(file), libsvm, rows -> true))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        file
                                + " is a table of Parquet, which has names of columns: it is read"
                                + " with --format csv, without --columns");
    }
}
