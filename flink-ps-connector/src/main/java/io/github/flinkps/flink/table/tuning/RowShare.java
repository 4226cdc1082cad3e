package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.NumberMoments;
import io.github.flinkps.flink.data.NumericScale;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * Keeps what a share of the rows says of all: the moments of the columns of numbers, and rows drawn
 * at random, each as likely as another. Each row gets a random number, and those with the least
 * ones stay (bottom-k sampling: Cohen and Kaplan, Summarizing data using bottom-k sketches, 2007),
 * so that shares are merged to what one would keep that saw all rows. Not thread-safe.
 */
final class RowShare {
    private final int most;
    private final List<NumberMoments> columns = new ArrayList<>();
    private final List<NumberMoments> logs = new ArrayList<>();
    private final PriorityQueue<Drawn> drawn =
            new PriorityQueue<>(Comparator.comparingLong(Drawn::lot).reversed());
    private long rows;

    /** A row that was drawn, by the number that it got. */
    private record Drawn(long lot, byte[] row) {}

    /**
     * @param columns of numbers
     * @param most rows that are drawn
     */
    RowShare(int columns, int most) {
        this.most = most;
        for (int i = 0; i < columns; i++) {
            this.columns.add(new NumberMoments());
            this.logs.add(new NumberMoments());
        }
    }

    /** Counts a row, whose {@link #number numbers} and lot are to be given. */
    void addRow() {
        rows++;
    }

    /** Returns how many rows there were. */
    long rows() {
        return rows;
    }

    /** Adds a finite number of a row. */
    void number(int column, double value) {
        columns.get(column).add(value);
        logs.get(column).addLog(value);
    }

    /** Returns how the numbers of a column are scaled. */
    NumericScale scale(int column) {
        return columns.get(column).ofColumn(logs.get(column));
    }

    private List<NumberMoments> moments() {
        return Stream.concat(columns.stream(), logs.stream()).toList();
    }

    /** Returns whether a row with this number is drawn, as far as rows are known. */
    boolean draws(long lot) {
        return drawn.size() < most || lot < drawn.element().lot;
    }

    /** Keeps a row that is drawn. */
    void draw(long lot, byte[] row) {
        drawn.add(new Drawn(lot, row));
        if (drawn.size() > most) {
            drawn.remove();
        }
    }

    /** Returns the rows that are drawn, in the order of their numbers. */
    List<byte[]> drawn() {
        return drawn.stream().sorted(Comparator.comparingLong(Drawn::lot)).map(Drawn::row).toList();
    }

    /** Returns it as bytes, for {@link #merge}. */
    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(rows);
            for (NumberMoments column : moments()) {
                column.write(out);
            }
            out.writeInt(drawn.size());
            for (Drawn each : drawn) {
                out.writeLong(each.lot);
                out.writeInt(each.row.length);
                out.write(each.row);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of memory
        }
        return bytes.toByteArray();
    }

    /** Adds what {@link #toBytes} of another share of as many columns returned. */
    void merge(byte[] other) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(other))) {
            rows += in.readLong();
            for (NumberMoments column : moments()) {
                column.merge(NumberMoments.read(in));
            }
            for (int left = in.readInt(); left > 0; left--) {
                long lot = in.readLong();
                byte[] row = in.readNBytes(in.readInt());
                if (draws(lot)) {
                    draw(lot, row);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of memory
        }
    }
}
