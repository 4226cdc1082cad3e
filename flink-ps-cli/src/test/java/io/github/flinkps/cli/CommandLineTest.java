package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class CommandLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    trian                                        | unknown command 'trian'; did you mean train?
                    ''                                           | unknown command ''
                    train --epoch 3                              | unknown option '--epoch'; did you mean --epochs?
                    train --epoch=3                              | unknown option '--epoch'; did you mean --epochs?
                    train rows.libsvm                            | 'rows.libsvm' is not expected here
                    train --epochs                               | --epochs
                    train --epochs x                             | --epochs cannot be 'x': it must be a number, a whole one
                    train --epochs 0                             | --epochs must be at least 1, not 0
                    train --epochs 2 --epochs 3                  | --epochs
                    train --batch-size 0                         | --batch-size must be at least 1, not 0
                    train --workers 0                            | --workers must be between 1 and 2000, not 0
                    train --workers -1                           | --workers must be between 1 and 2000, not -1
                    train --servers 0                            | --servers must be between 1 and 4096, not 0
                    train --timeout soon                         | --timeout cannot be 'soon': it must be a duration
                    train --timeout 5                            | --timeout cannot be '5': it must be a time such as 500ms
                    train --timeout 0s                           | --timeout must be at least 1 ms, not 0 s
                    train --consistency bps                      | --consistency cannot be 'bps': it must be one of BSP, SSP, ASP, PREDICATE
                    train --staleness 4                          | --staleness goes with consistency SSP only, not BSP
                    train --consistency asp --staleness 4        | --staleness goes with consistency SSP only, not ASP
                    train --consistency ssp                      | --consistency SSP needs --staleness
                    train --consistency ssp --staleness -1       | --staleness must be at least 0, not -1
                    train --prefetch 1                           | --prefetch 1 does not go with consistency BSP, which allows 0
                    train --consistency ssp --staleness 2 --prefetch 3 | which allows 2
                    train --significance-threshold -1            | --significance-threshold must be a number of at least 0, not -1
                    train --push-encoding fp8                    | fp8
                    train --push-share 0                         | --push-share must be a number above 0 and at most 1, not 0
                    train --push-choice random                   | push-share
                    train --consistency asp --prefetch -1        | --prefetch must be between 0 and
                    train --remote h:1 --servers 2               | either servers or remote: servers inside the job or such that run already
                    train --remote h                             | --remote: not an address: 'h'; expected host:port, separated by commas
                    train --remote h:1,h:1                       | --remote names the server h:1 twice
                    train --remote h:70000                       | --remote: not an address
                    train --input a --test b --test-share .1     | give one of them
                    train --test b                               | --test goes with --input only
                    train --input a --test-share 1               | --test-share must be above 0 and below 1, not 1.0
                    train --input a --test-share 0               | --test-share must be above 0 and below 1, not 0.0
                    train --input a --test-share NaN             | --test-share must be above 0 and below 1, not NaN
                    train --input a --format arff                 | --format must be one of libsvm, libffm, vw, csv, idx, text, not 'arff'
                    train --format libsvm                        | --format goes with --input only
                    train --input a --on-bad-row skp             | did you mean skip?
                    train --input a,,b                           | --input holds an empty path
                    train --algorithm logistic                   | did you mean logistic-regression?
                    train --input ,                              | --input holds an empty path
                    train --input=                               | --input holds an empty path
                    train --features 5                           | --features goes with --input only
                    train --features 9223372036854775807         | --features 9223372036854775807 is too large
                    train --algorithm skip-gram --rows 10        | --algorithm skip-gram cannot learn from generated rows: give --input, or one of deep-fm, factorization-machine
                    train --algorithm implicit-matrix-factorization | --algorithm implicit-matrix-factorization cannot learn from generated rows
                    train --algorithm deep-fm --fields 3         | --fields 3 wants 3 features of each row; the columns give
                    train --key-bits 10                          | --key-bits 10 is less than --hash-bits 24
                    train --buckets 5                            | --buckets goes with --numeric-transform bucket only
                    train --input a --buckets 5 --numeric-transform log | --buckets goes with --numeric-transform bucket only
                    train --input a --features 100 --numeric-transform bucket | --features 100 is less than the 2^24 keys of --hash-bits 24
                    train --format csv --input a --label y --numeric x --features 100 | --features 100 is less than the 2^24 keys
                    train --format csv --input a --label y --numeric x --key-bits 8 --hash-bits 9 | --key-bits 8 is less than --hash-bits 9
                    train --rows 0                               | --rows must be between 1 and
                    train --rows 10 --input a                    | --rows and --interactions are for generated rows
                    train --algorithm matrix-factorization --interactions | --interactions does not go with matrix-factorization
                    train --min-count 3 --input a                | --min-count goes with --format text only
                    train --format text --input a --numeric-transform log | --numeric-transform goes with --format csv or libsvm only
                    train --format vw --input a --numeric-transform log | --numeric-transform goes with --format csv or libsvm only
                    train --format vw --input a --features 100   | --features 100 is less than the 2^24 keys of --hash-bits 24
                    train --format libffm --input a --features 9 | --features does not go with --format libffm
                    train --format libffm --input a --algorithm field-aware-factorization-machine | fields must be given
                    train --format libffm --input a --algorithm deep-fm --fields 3 | --algorithm deep-fm does not go with --format libffm
                    train --format vw --input a --algorithm matrix-factorization | --algorithm matrix-factorization does not go with --format vw
                    train --format libffm --input a --hash-bits 9 | --hash-bits goes with --format csv or vw, --numeric-transform
                    train --label y                              | --label goes with --input only
                    train --input a --columns x,y                | --columns goes with --format csv only
                    train --input a --hash-bits 3                | --hash-bits goes with --format csv or vw, --numeric-transform bucket or
                    train --initial-model m --input a --label y  | --label is that of --initial-model, and cannot be another
                    train --numeric-transform log                | --numeric-transform goes with --input only
                    'train --format csv --input a --label y --numeric x --label-values 0|1,1' | --label-values: '1' is there for two labels; it can mean one only
                    train --input a --encoding utf-16            | --encoding utf-16 is none that can be read
                    train --input a --encoding latin             | --encoding latin is none that can be read
                    train --input a --format idx --encoding utf-8 | --encoding does not go with --format idx
                    train --features 0                           | --features must be at least 1, not 0
                    train --optimizer adagard                    | did you mean adagrad?
                    train --optimizer add                        | --optimizer must be one of adagrad,
                    train --learning-rate 0                      | --learning-rate must be
                    train --learning-rate NaN                    | --learning-rate must be
                    train --l1 -1                                | --l1 must be
                    train --l2 -0.5                              | --l2 must be
                    train --optimizer momentum --momentum 1      | --momentum must be
                    train --momentum .9                          | --momentum does not go with --optimizer adagrad, which takes --
                    train --optimizer adam --beta 1              | --beta does not go with --optimizer adam
                    train --optimizer ftrl --epsilon 1           | --epsilon does not go with --optimizer ftrl
                    train --optimizer sgd --nesterov             | --nesterov does not go with --optimizer sgd
                    train --step-every 9 --step-factor 0         | --step-factor must be above 0 and at most 1, not 0
                    train --cosine-steps 9 --final-rate-share 1  | --final-rate-share must be at least 0 and below 1, not 1
                    train --inverse-sqrt-steps 9 --step-factor .5 | --step-factor goes with step-every only
                    train --cosine-steps 9 --step-every 9        | --inverse-sqrt-steps, step-every, cosine-steps exclude each other
                    train --warmup-steps -1                      | --warmup-steps must be a whole number at least 0 and finite, not -1
                    train --optimizer ftrl --warmup-steps 9      | --warmup-steps does not go with --optimizer ftrl, which takes --beta
                    train --optimizer sgd --l2 .1 --warmup-steps 9 | --l2 does not go with a schedule of sgd's learning rate
                    train --shuffle row                          | --shuffle cannot be 'row': it must be one of BATCHES, ROWS
                    train --row-memory lots                      | --row-memory cannot be 'lots': it must be a size, such as '64 mb'
                    train --row-memory -1                        | --row-memory cannot be '-1': it must be a size
                    train --save-slots                           | --save-slots needs --model
                    train --log-level wran                       | did you mean warn?
                    train --initial-model m --features 5         | --features is that of --initial-model
                    train --model s3://bucket/m                  | s3://bucket/m is not on a file system of this machine
                    model describe s3://bucket/m                 | s3://bucket/m is not on a file system of this machine
                    predict --model m --input a                  | missing required option: '--output=FILE'
                    predict --model m --input a --output o --workers 2 | unknown option '--workers'
                    evaluate --model m                           | missing required option: '--test=PATH
                    server --port 70000                          | --port must be between 0 and 65535, not 70000
                    server --owners 0                            | --owners must be between 1 and 256, not 0
                    server --host 0.0.0.0                        | --host 0.0.0.0 is not loopback
                    server --prot 1                              | did you mean --port?
                    model                                        | one of describe
                    model descrbe m                              | did you mean describe?
                    model describe                               | missing required parameter: 'DIR'
                    """)
    void refusesBeforeAnythingStarts(String line, String message) {
        TestingCommand command = TestingCommand.run(line.split(" +"));
        assertThat(command.err()).startsWith("flink-ps: ").contains(message);
        assertThat(command.err().lines()).hasSize(2);
        assertThat(command.err()).contains("--help'");
        assertThat(command.out()).isEmpty();
        assertThat(command.exitCode()).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void asksForACommand() {
        TestingCommand command = TestingCommand.run();
        assertThat(command.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(command.err()).contains("a command is missing").contains("train, predict");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "train --help",
                "predict -h",
                "evaluate --help",
                "server --help",
                "model --help",
                "model describe --help"
            })
    void helps(String line) {
        TestingCommand command = TestingCommand.succeeds(line.split(" "));
        assertThat(command.out()).startsWith("Usage: flink-ps").contains("--help");
        assertThat(command.err()).isEmpty();
    }

    @Test
    void saysItsVersion() {
        TestingCommand command = TestingCommand.succeeds("--version");
        assertThat(command.out())
                .containsPattern("flink-ps \\d+\\.\\d+")
                .contains("Apache Flink 1.");
    }

    /** Checks what the usage of the program promises; more may be there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    train    | --input --format --test --test-share --algorithm --optimizer --learning-rate --l1 --l2 --inverse-sqrt-steps --step-every --step-factor --cosine-steps --final-rate-share --warmup-steps --epochs --batch-size --seed --shuffle --row-memory --consistency --staleness --workers --servers --remote --model --report --quiet
                    predict  | --model --input --format --output
                    evaluate | --model --test --format --report --workers --servers --remote --timeout --prefetch
                    server   | --host --port --owners --max-frame-bytes --key-cache-bytes --cut-timeout
                    """)
    void knowsTheOptionsOfEachCommand(String name, String options) {
        PrintWriter writer = new PrintWriter(new StringWriter());
        CommandLine command = Main.commandLine(writer, writer).getSubcommands().get(name);
        TreeSet<String> names = new TreeSet<>();
        for (OptionSpec option : command.getCommandSpec().options()) {
            names.addAll(Arrays.asList(option.names()));
        }
        assertThat(names).contains(options.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    train --input DIR/none                              | --input: input DIR/none does not exist
                    train --input DIR --test-share .5                   | --input: input folder DIR holds no file to read
                    train --report DIR/none/r.json                      | --report DIR/none/r.json: there is no folder DIR/none
                    train --report DIR                                  | --report DIR is a folder
                    train --metrics DIR/x --report DIR/x                | --metrics DIR/x is what --report writes, too; give another file
                    train --metrics DIR/x --tensorboard DIR/x           | --tensorboard DIR/x is what --metrics writes, too; give another folder
                    train --report DIR/x --tensorboard DIR/./x/y        | x/y is what --report writes, too; give another folder
                    train --report DIR/x --model DIR/x                  | --report DIR/x is what --model writes, too
                    train --metrics DIR/x --model DIR/x/m               | --metrics DIR/x is what --model writes, too
                    train --tensorboard DIR/x --model DIR/x             | --tensorboard DIR/x is what --model writes, too
                    train --report -                                    | --report -: give a file
                    train --initial-model DIR                           | --initial-model: DIR is not a model
                    train --initial-model DIR/none                      | --initial-model: there is no model directory DIR/none
                    train --initial-model s3://bucket/m                 | s3://bucket/m is not on a file system of this machine
                    predict --model DIR --input x --output DIR/o        | --model: DIR is not a model
                    evaluate --model DIR/none --test x                  | --model: there is no model directory DIR/none
                    model describe DIR/none                             | there is no model directory DIR/none
                    model describe DIR                                  | DIR is not a model
                    server --host no.such.host.invalid                  | cannot listen on no.such.host.invalid: its name is not known; choose another --host
                    """)
    void findsMissingFilesBeforeAnythingStarts(String line, String message, @TempDir Path folder) {
        String here = folder.toString();
        TestingCommand command = TestingCommand.run(line.replace("DIR", here).split(" +"));
        assertThat(command.err()).startsWith("flink-ps: ").contains(message.replace("DIR", here));
        assertThat(command.err().lines()).hasSize(1);
        assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(folder).isEmptyDirectory();
    }
}
