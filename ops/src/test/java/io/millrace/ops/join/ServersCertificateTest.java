package io.millrace.ops.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.keys.ListenerCertificate;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ListeningPlaces;
import io.millrace.server.http.LocalCaller;
import io.millrace.server.http.ReceivedRequest;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Only a server that shows the certificate of the cluster is told the token. */
@Timeout(60)
class ServersCertificateTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Map<String, String> TOKEN = Map.of("X-Millrace-Token", "the-token");
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(10, 10),
          0,
          new HttpLimits.HttpMemoryLimits(0, 0, 1 << 20),
          new HttpLimits.Workers(2, 10),
          new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG));

  @TempDir Path folder;
  private final LocalCaller caller = new LocalCaller(1 << 20);
  private final List<String> told = new ArrayList<>();
  private final HttpService server =
      new HttpService() {
        @Override
        public HttpAnswer answer(ReceivedRequest request) {
          synchronized (told) {
            told.add(request.header("X-Millrace-Token").orElse(""));
          }
          return HttpAnswer.whole(200, "text/plain", new byte[0]);
        }

        @Override
        public HttpAnswer refusal(HttpRefusal why, String text) {
          return HttpAnswer.whole(why.status(), "text/plain", new byte[0]);
        }
      };

  @AfterEach
  void close() {
    caller.close();
  }

  private Path home(String name) throws Exception {
    Home home = new Home(folder.resolve(name));
    home.create();
    new ListenerCertificate(home, "queries.millrace.invalid").make();
    String certificate = Files.readString(home.listenerCertificate());
    Files.writeString(ListeningPlaces.certificate(home.root()), certificate);
    Files.writeString(
        ListeningPlaces.key(home.root()),
        Files.readString(home.listenerKey()).replace(certificate, ""));
    return home.root();
  }

  private HttpListener listen(InetSocketAddress address, Path home) throws IOException {
    ListeningPlaces.Remote remote = ListeningPlaces.Remote.of(address, home);
    return HttpListener.open(
        new HttpListener.ListenerAddress("query-tls", address, Optional.of(remote.tls())),
        LIMITS,
        server);
  }

  private static InetSocketAddress free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }

  @Test
  void aServerOfTheClusterIsAskedAndAStrangerIsToldNothing() throws Exception {
    Path ours = home("ours");
    Path strange = home("strange");
    InetSocketAddress address = free();
    try (HttpListener stranger = listen(address, strange)) {
      assertThrows(
          IOException.class,
          () -> caller.get(address, ListeningPlaces.trust(ours), "/v1/nodes", TOKEN, LONG));
      assertEquals(List.of(), told);
      assertTrue(brokersRefusal(address, ours).contains("name it in ssl.truststore"));
      assertTrue(brokersRefusal(address, strange).contains("name them as it does"));
      assertEquals(List.of(), told);
      assertEquals(200, ask(address, strange).status());
      told.clear();
    }
    InetSocketAddress another = free();
    try (HttpListener good = listen(another, ours)) {
      assertEquals(200, ask(another, ours).status());
      assertEquals(List.of("the-token"), told);
    }
  }

  /** What a home is told that takes this listener for its brokers, and trusts that certificate. */
  private static String brokersRefusal(InetSocketAddress address, Path trusted) throws Exception {
    Map<String, Object> account =
        Map.of(
            "security.protocol",
            "SSL",
            "ssl.truststore.type",
            "PEM",
            "ssl.truststore.certificates",
            Files.readString(ListeningPlaces.certificate(trusted)));
    String servers = address.getAddress().getHostAddress() + ":" + address.getPort();
    JoinFile join =
        new JoinFile(
            "cluster",
            servers,
            1,
            new JoinFile.Secrets("", "", "", ""),
            Map.of(KafkaPrincipal.GATEWAY, account));
    return assertThrows(IOException.class, () -> JoinCheck.pass(join)).getMessage();
  }

  private LocalCaller.LocalAnswer ask(InetSocketAddress address, Path home) throws Exception {
    return caller.get(address, ListeningPlaces.trust(home), "/v1/nodes", TOKEN, LONG);
  }

  @Test
  void oneConnectionServesManyQuestions() throws Exception {
    Path ours = home("ours");
    InetSocketAddress address = free();
    SslContext trust = ListeningPlaces.trust(ours);
    try (HttpListener good = listen(address, ours)) {
      for (int i = 0; i < 5; i++) {
        assertEquals(200, caller.get(address, trust, "/v1/nodes", TOKEN, LONG).status());
      }
      assertEquals(1, good.connections());
    }
  }

  @Test
  void whoSpeaksNoTlsIsToldNothing() throws Exception {
    Path ours = home("ours");
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> said =
          CompletableFuture.supplyAsync(
              () -> {
                try (Socket caught = plain.accept()) {
                  byte[] first = new byte[4096];
                  int length = caught.getInputStream().read(first);
                  caught.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes());
                  caught.getOutputStream().flush();
                  return new String(first, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
                } catch (IOException e) {
                  return "";
                }
              });
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), plain.getLocalPort());
      assertThrows(IOException.class, () -> ask(address, ours));
      assertFalse(said.get().contains("the-token"));
      assertFalse(said.get().isEmpty());
    }
  }

  @Test
  void withoutACertificateNobodyIsAsked() {
    String said = assertThrows(IOException.class, () -> ListeningPlaces.trust(folder)).getMessage();
    assertTrue(said.startsWith("there is no certificate "), said);
  }
}
