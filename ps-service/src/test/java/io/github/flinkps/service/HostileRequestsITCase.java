package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.DeltaKeys;
import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ExchangeSection;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.GrantFenceMessage;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.LogLines;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Requests for rows that no client makes take little memory, and change nothing for others. */
@ExtendWith(LeakExtension.class)
@Timeout(120)
class HostileRequestsITCase {
    private static final int LIST = 300_000;
    private static final UnpooledByteBufAllocator BYTES = UnpooledByteBufAllocator.DEFAULT;
    private static final int ROWS = 4_128_000;
    private static final int SMALL = 1 << 10;
    private static final int LARGE = 15 << 20;

    @TempDir private Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestingKeys keys;
    private ParameterServer server;
    private ModelSession honest;

    @BeforeEach
    void start() throws IOException {
        keys = new TestingKeys(Files.createDirectories(folder.resolve("keys")));
        Path rules = folder.resolve("rules");
        Files.writeString(rules, "ads train ads-*\nsearch read ads-pub\nsearch train search-*\n");
        TlsFiles own = keys.server("127.0.0.1");
        Map<String, String> options = new HashMap<>();
        options.put("owners", "1");
        options.put("max-frame-bytes", "16m");
        options.put("assembly-bytes", "16m");
        options.put("unsent-bytes", "16m");
        options.put("peer-timeout", "2 s");
        options.put("tls-certificate", own.certificate());
        options.put("tls-key", own.key());
        options.put("token-file", keys.tokens("tokens", line("ads"), line("search")));
        options.put("acl-file", rules.toString());
        server =
                ParameterServer.start(
                        ServerConfig.of(options, Runtime.getRuntime().maxMemory()),
                        new LocalModelStorage());
        honest = session("ads", "ads-pub");
        get(honest.createTable(sparse("t")));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        server.close();
    }

    private static TableSpec sparse(String name) {
        return TableSpec.sparse(name, 1, UpdateSpec.of("add")).withPartitions(1);
    }

    private static String line(String client) {
        return client + ":a-token-of-" + client + "-alone";
    }

    private ModelSession session(String name, String model) {
        String token = keys.tokens(name + ".token", line(name));
        ParameterClient client =
                ParameterClients.create(
                        List.of(server.address()),
                        ClientConfig.defaults()
                                .withSecurity(new ClientSecurity(keys.trust(), token)));
        open.add(client);
        ConsistencySpec asp = ConsistencySpec.asp();
        int worker = SessionSpec.NO_WORKER;
        return get(client.open(new SessionSpec(model, "run", 0, worker, 1, asp, TIMEOUT)));
    }

    private RawClient connect(String name, int owner) throws IOException {
        RawClient raw = RawClient.connect(server.port(), keys.authorityFile());
        open.add(raw);
        raw.hello(owner, 5, line(name).getBytes(StandardCharsets.UTF_8));
        assertThat(ErrorFrame.of(raw.receive())).isNull();
        return raw;
    }

    private static PsException ask(RawClient owner, ByteBuf request) throws IOException {
        owner.send(7, request);
        return ErrorFrame.of(owner.receive());
    }

    /** Returns a request with several sections, whose keys and values are in the same places. */
    private static ByteBuf request(int session, int pushes, int pulls, long[] hashes) {
        int sections = pushes + pulls;
        int count = hashes.length;
        int control = (int) ExchangeHeader.controlLength(sections, 0);
        int coded = DeltaKeys.size(hashes, 0, count, 0);
        BatchLayout layout = BatchLayout.encodedKeys();
        ValueFormat values = ValueEncoding.FP16.format(1);
        int at = FrameHeader.align(FrameHeader.BYTES + control);
        int keyBytes = layout.encodedSize(coded);
        int valueBytes = values.encodedSize(count);
        int length = at + keyBytes + valueBytes;
        ByteBuf frame = Unpooled.buffer(length).writeZero(length);
        FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, control);
        ByteBuffer out = frame.nioBuffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putEntry(out, session, 0, 0);
        ExchangeHeader.putClocks(out, 0, 0, 0);
        ExchangeHeader.putSections(out, pushes, pulls);
        for (int i = 0; i < sections; i++) {
            int section = ExchangeHeader.section(i);
            ExchangeSection.putTable(
                    out, section, 1, ExchangeSection.DELTA, ValueEncoding.FP16.id());
            ExchangeSection.putRows(out, section, 1000 + i, 0, 0, count);
            ExchangeSection.putPush(out, section, 1, 0);
            ExchangeSection.putKeys(out, section, at, keyBytes);
            ExchangeSection.putValues(out, section, at + keyBytes, valueBytes);
        }
        layout.writeMetadata(out, at, coded);
        DeltaKeys.encode(hashes, 0, count, 0, out, at + layout.columnOffset(0, coded));
        values.begin(out, at + keyBytes, count);
        return frame;
    }

    private static long[] hashes(int count) {
        return LongStream.range(0, count).toArray();
    }

    /** Keys travel by few bits each, and all lists are made of the same ones. */
    @Test
    void listsOfOneRequestTakeSoMuchMemoryAndNoMore() throws IOException {
        int session = connect("search", HelloMessage.CONTROL).open("ads-pub");
        assertThat(ask(connect("search", 0), request(session, 0, 4, hashes(LIST)))).isNull();
        assertThat(ask(connect("search", 0), request(session, 0, 5, hashes(LIST))))
                .hasMessageContaining("lists of keys")
                .hasMessageContaining("max-frame-bytes")
                .extracting(PsException::code)
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    private static ByteBuf header(ApiKey api) {
        ByteBuf header = Unpooled.buffer(FrameHeader.BYTES).writeZero(FrameHeader.BYTES);
        FrameHeader.writeRequest(header, api, 0);
        return header;
    }

    /** Returns an entry of a worker's log, in a frame that is larger than it need be. */
    private static ByteBuf clock(int session, long sequence, int length) {
        ByteBuf frame = Unpooled.buffer(length).writeZero(length);
        FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, (int) ExchangeHeader.controlLength(0, 0));
        ByteBuffer out = frame.nioBuffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putEntry(out, session, ExchangeHeader.CLOCK, sequence);
        ExchangeHeader.putClocks(out, sequence + 1, 0, 0);
        ExchangeHeader.putSections(out, 0, 0);
        return frame;
    }

    /** Each connection may keep one frame, and there may be many connections. */
    @Test
    void framesThatWaitHaveSoMuchMemoryOverAllConnections() throws Exception {
        int session = connect("search", HelloMessage.CONTROL).open("search-m", 1, 0);
        RawClient first = connect("search", 0);
        first.send(8, clock(session, 1, LARGE));
        ask(first, header(ApiKey.PING)); // which is answered behind it
        for (int i = 0; i < 6; i++) {
            assertThat(ask(connect("search", 0), clock(session, 3 + i, LARGE)))
                    .hasMessageContaining("requests that wait")
                    .hasMessageContaining("assembly-bytes")
                    .extracting(PsException::code)
                    .isEqualTo(ErrorCode.THROTTLED);
        }
        int own = connect("ads", HelloMessage.CONTROL).open("ads-m", 1, 0);
        RawClient other = connect("ads", 0);
        other.send(9, clock(own, 1, LARGE / 2));
        ask(other, header(ApiKey.PING));
        assertThat(ask(connect("ads", 0), clock(own, 0, SMALL))).isNull();
        assertThat(ErrorFrame.of(other.receive())).as("the half of others").isNull();
        assertThat(ask(connect("search", 0), clock(session, 0, SMALL))).isNull();
        assertThat(ErrorFrame.of(first.receive())).as("alone, of any size").isNull();
    }

    /** Sessions have numbers that can be guessed, and models names that say what is planned. */
    @Test
    void aSessionOfAnotherThatHasEndedTellsNothing() throws IOException {
        RawClient ads = connect("ads", HelloMessage.CONTROL);
        int session = ads.open("ads-secret", 1, 0);
        ads.send(5, new GrantFenceMessage.Request("ads-secret", "r2", "a2", 2).encode(BYTES));
        assertThat(ErrorFrame.of(ads.receive())).isNull();
        assertThat(ask(connect("ads", 0), clock(session, 0, SMALL)).code())
                .isEqualTo(ErrorCode.FENCED);
        assertThat(ask(ads, barrier(session)).code()).isEqualTo(ErrorCode.FENCED);
        RawClient search = connect("search", HelloMessage.CONTROL);
        for (PsException told :
                List.of(
                        ask(connect("search", 0), clock(session, 0, SMALL)),
                        ask(search, barrier(session)))) {
            assertThat(told.code()).isEqualTo(ErrorCode.UNKNOWN_SESSION);
            assertThat(told.getMessage()).doesNotContain("secret");
        }
    }

    private static ByteBuf barrier(int session) {
        return AdminCodec.request(
                BYTES,
                ApiKey.BARRIER,
                new AdminMessages.Barrier(session, "b", 1, false, new double[0]));
    }

    private static ByteBuf pull(int session) {
        int control = (int) ExchangeHeader.controlLength(1, 0);
        int length = FrameHeader.align(FrameHeader.BYTES + control);
        ByteBuf frame = Unpooled.buffer(length).writeZero(length);
        FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, control);
        ByteBuffer out = frame.nioBuffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putEntry(out, session, 0, 0);
        ExchangeHeader.putClocks(out, 0, 0, 0);
        ExchangeHeader.putSections(out, 0, 1);
        int section = ExchangeHeader.section(0);
        ExchangeSection.putTable(out, section, 2, ExchangeSection.RANGE, ValueEncoding.FP32.id());
        ExchangeSection.putRows(out, section, 0, 0, ROWS, ROWS);
        return frame;
    }

    /** Asks for an answer nearly as large as all that may be unsent. */
    private RawClient askForMuch() throws IOException {
        get(
                honest.createTable(
                        TableSpec.dense("d", ROWS, 1, UpdateSpec.of("add")).withPartitions(1)));
        int session = connect("search", HelloMessage.CONTROL).open("ads-pub");
        RawClient owner = connect("search", 0);
        owner.send(7, pull(session));
        return owner;
    }

    /** Nobody else needs the room. */
    @Test
    void anAnswerThatIsTakenSlowlyIsTakenToItsEnd() throws Exception {
        RawClient slow = askForMuch();
        long taken = 0;
        while (taken < 4L * ROWS) {
            int some = slow.take((int) Math.min(16 << 10, 4L * ROWS - taken));
            assertThat(some).as("after %d bytes", taken).isPositive();
            taken += some;
            TimeUnit.MICROSECONDS.sleep(500);
        }
    }

    @Test
    void whoTakesALargeAnswerTooSlowlyGivesWayToOthers() throws Exception {
        RawClient slow = askForMuch();
        AtomicLong taken = new AtomicLong();
        AtomicBoolean othersWait = new AtomicBoolean(true);
        Thread slowly =
                new Thread(
                        () -> {
                            try {
                                for (int some = 1; some > 0; taken.addAndGet(some)) {
                                    some = slow.take(16 << 10);
                                    TimeUnit.MILLISECONDS.sleep(othersWait.get() ? 50 : 0);
                                }
                            } catch (IOException | InterruptedException e) {
                                return;
                            }
                        });
        slowly.start();
        Polling.await("nothing is sent", () -> taken.get() > 0);
        try (LogLines log = LogLines.warnings("io.github.flinkps.transport")) {
            float[] values = new float[1 << 18];
            get(honest.exchange().pullRange("d", 0, values.length, values).send());
            Polling.await("nothing is said", () -> !log.said().isEmpty());
            assertThat(log.said()).singleElement().asString().contains("unsent-bytes");
        }
        othersWait.set(false);
        slowly.join(TIMEOUT.toMillis());
        assertThat(taken.get()).isPositive().isLessThan(4L * ROWS);
    }

    /** Names a pull or push of one section, whose gradients are ones, under a signature. */
    private static ByteBuf signed(int session, int sequence, int addressing, long[] hashes) {
        int pushes = sequence < 0 ? 0 : 1;
        ByteBuf frame = request(session, pushes, 1 - pushes, hashes);
        ByteBuffer out = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putEntry(out, session, 0, Math.max(0, sequence));
        int section = ExchangeHeader.section(0);
        ExchangeSection.putTable(out, section, 1, addressing, ValueEncoding.FP16.id());
        ExchangeSection.putRows(out, section, 77, 0, 0, hashes.length);
        float[] ones = new float[hashes.length];
        Arrays.fill(ones, 1);
        ValueEncoding.FP16
                .format(1)
                .encode(ones, 0, ones.length, 0, out, ExchangeSection.valuesOffset(out, section));
        return frame;
    }

    /** The number under which a list is kept is the client's own: it may be that of another's. */
    @Test
    void aForgedSignatureRedirectsNoPushOfAnother() throws IOException {
        int forging = connect("search", HelloMessage.CONTROL).open("ads-pub");
        RawClient search = connect("search", 0);
        int session = connect("ads", HelloMessage.CONTROL).open("ads-pub", 1, 0);
        RawClient ads = connect("ads", 0);
        long[] own = hashes(10);
        long[] forged = LongStream.range(10, 20).toArray();

        assertThat(ask(search, signed(forging, -1, ExchangeSection.DELTA, forged))).isNull();
        assertThat(ask(ads, signed(session, 0, ExchangeSection.CACHED, own)).code())
                .isEqualTo(ErrorCode.UNKNOWN_KEYS);
        assertThat(ask(ads, signed(session, 0, ExchangeSection.DELTA, own))).isNull();
        assertThat(ask(search, signed(forging, -1, ExchangeSection.DELTA, forged))).isNull();
        assertThat(ask(ads, signed(session, 1, ExchangeSection.CACHED, own))).isNull();
        assertThat(ask(search, signed(forging, 0, ExchangeSection.CACHED, forged)).code())
                .isEqualTo(ErrorCode.FORBIDDEN);
        RowChunk rows = get(honest.scan("t", 0, 0, false));
        long[] keysOfOwn = LongStream.of(own).map(KeyHash.of(64)::key).toArray();
        assertThat(rows.keys()).containsExactlyInAnyOrder(keysOfOwn);
        assertThat(rows.values()).hasSize(own.length).containsOnly(2);
    }

    /** Gradients are decoded anew for each push. */
    @Test
    void pushesThatShareTheirGradientsAreRefused() throws IOException {
        RawClient control = connect("search", HelloMessage.CONTROL);
        get(session("search", "search-m").createTable(sparse("t")));
        int session = control.open("search-m", 1, 0);
        assertThat(ask(connect("search", 0), request(session, 20, 0, hashes(1000))))
                .hasMessageContaining("share their gradients")
                .extracting(PsException::code)
                .isEqualTo(ErrorCode.MALFORMED);
    }
}
