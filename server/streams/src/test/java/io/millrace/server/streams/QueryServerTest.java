package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.server.http.ListeningPlaces;
import io.millrace.server.http.LocalCaller;
import io.millrace.server.streams.answer.GatewayLines;
import io.millrace.server.streams.answer.HeldAnswers;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryServerTest {

  private static final StoreQueries NO_SHARDS =
      new StoreQueries(
          new OwnedShards(new HeldAnswers(GatewayLines.NONE)),
          null,
          new LiveUsages(),
          scheduler -> false);

  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path folder;
  private Path socket;
  private ServerSettings settings;

  @BeforeEach
  void choose() {
    socket = folder.resolve("query.sock");
    ListeningPlaces places = new ListeningPlaces(socket, Optional.empty());
    settings =
        new ServerSettings(Map.of(), Path.of("unused"), "test", places, "secret", Set.of(), false);
  }

  private static LocalCaller.LocalAnswer ask(Path socket, Map<String, String> headers)
      throws Exception {
    try (LocalCaller caller = new LocalCaller(1 << 20)) {
      return caller.get(socket, "/v1/nodes?shard=0", headers, LONG);
    }
  }

  private static String text(LocalCaller.LocalAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** A gateway that was stopped in the middle must not be enough to stop every qstat. */
  @Test
  void requestsThatAreNeverWholeKeepNobodyWaitingForLong() throws Exception {
    List<SocketChannel> silent = new ArrayList<>();
    try (QueryServer server = new QueryServer(settings, NO_SHARDS)) {
      assertEquals("unix:" + socket, server.address());
      for (int i = 0; i < 16; i++) {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        channel.write(ByteBuffer.wrap("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.UTF_8)));
        silent.add(channel);
      }
      LocalCaller.LocalAnswer answer = ask(socket, Map.of("X-Millrace-Token", "secret"));
      assertEquals(503, answer.status());
      assertEquals("shard 0 is not here", text(answer));
    } finally {
      for (SocketChannel channel : silent) {
        channel.close();
      }
    }
  }

  /** What shards tell has the variables of all jobs. */
  @Test
  void whoDoesNotKnowTheTokenIsToldNothing() throws Exception {
    try (QueryServer server = new QueryServer(settings, NO_SHARDS)) {
      for (Map<String, String> headers :
          List.of(Map.<String, String>of(), Map.of("X-Millrace-Token", "secre"))) {
        LocalCaller.LocalAnswer answer = ask(socket, headers);
        assertEquals(403, answer.status());
        assertEquals("token missing or wrong", text(answer));
      }
    }
  }
}
