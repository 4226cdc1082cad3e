package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.Main;
import io.github.flinkps.model.LocalModelStorage;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * The main class of server processes: {@code flink-ps server}, keeping cuts where it does, over a
 * storage that waits and fails where it is to. Ends with its standard input.
 */
public final class OracleServer {
    /** The text before the address in the line that says it. */
    static final String LISTENS = "listening on ";

    private OracleServer() {}

    /**
     * @param args options of {@code flink-ps server}
     */
    public static void main(String[] args) {
        OracleProcess.endWithParent();
        String[] server = new String[args.length + 1];
        server[0] = "server";
        System.arraycopy(args, 0, server, 1, args.length);
        System.exit(
                Main.run(
                        new OracleStorage(new LocalModelStorage()),
                        new PrintWriter(System.out, true, Charset.defaultCharset()),
                        new PrintWriter(System.err, true, Charset.defaultCharset()),
                        server));
    }
}
