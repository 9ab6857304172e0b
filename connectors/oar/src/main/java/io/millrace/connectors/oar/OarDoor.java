package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.http.RestAnswer;
import io.millrace.connectors.bridge.http.RestAnswer.RestEnding;
import io.millrace.connectors.bridge.http.RestRequest;
import io.millrace.connectors.bridge.http.RestServer;
import io.millrace.connectors.bridge.http.RestServer.RestPlace;
import io.millrace.connectors.bridge.http.TrustedCertificates;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** OAR's REST API over HTTP, with proofs of who asks. */
public final class OarDoor implements OarExchange {

  /** By this header OAR's API takes a name from one whom its web server trusts to give names. */
  private static final String IDENTITY = "X-Remote-Ident";

  private static final int UNAUTHORIZED = 401;

  /** The file of passwords can be read and does not name the account. */
  private static final class NoPassword extends IOException {
    private static final long serialVersionUID = 1L;

    NoPassword(String text) {
      super(text);
    }
  }

  private final String url;
  private final Path credentials;
  private final boolean passwords;
  private final Duration limit;
  private final long most;
  private final Optional<Path> certificates;
  private final RestPlace place;
  private RestServer server;

  /** What the file of certificates had when the server's client was made. */
  private byte[] trusted = {};

  public OarDoor(ClusterFile file) {
    this.url = file.text(OarKind.URL);
    this.credentials = Path.of(file.text(OarKind.CREDENTIALS));
    this.passwords = file.text(OarKind.IDENTITY).equals(OarKind.BY_PASSWORD);
    this.limit = Duration.ofSeconds(file.number("command_limit_s"));
    this.most = file.bodyMost();
    this.certificates = file.given(OarKind.CERTIFICATES).map(Path::of);
    this.place =
        new RestPlace(
            url, OarKind.URL_ACCOUNT, file.given(OarKind.URL_ACCOUNT), "see 'certificates'");
  }

  @Override
  public OarAnswer ask(OarRequest request) throws InterruptedException {
    long begin = System.nanoTime();
    RestRequest sent;
    RestServer to;
    try {
      sent = request(request);
      to = server();
    } catch (NoPassword e) {
      return new OarAnswer(ExchangeEnding.ACCOUNT_REFUSED, 0, e.getMessage(), took(begin));
    } catch (IOException e) {
      return new OarAnswer(ExchangeEnding.NOT_SENT, 0, e.getMessage(), took(begin));
    }
    RestAnswer whole = to.send(sent);
    if (whole.ending() != RestEnding.ANSWERED) {
      return failed(whole, took(begin));
    }
    OarAnswer said =
        new OarAnswer(ExchangeEnding.ANSWERED, whole.status(), whole.body(), took(begin));
    return said.status() == UNAUTHORIZED && isByOwnPassword(request)
        ? new OarAnswer(ExchangeEnding.ACCOUNT_REFUSED, UNAUTHORIZED, said.trouble(), said.took())
        : said;
  }

  /** Whether a refused password is that of one account; else it is the one that all use. */
  private boolean isByOwnPassword(OarRequest request) {
    return passwords && request.account().isPresent();
  }

  private RestRequest request(OarRequest request) throws IOException {
    OarCredentials known = OarCredentials.read(credentials);
    String name = request.account().filter(it -> passwords).orElse(known.first());
    Optional<String> proof = known.header(name);
    if (proof.isEmpty()) {
      throw new NoPassword(
          credentials + " has no password of " + name + "; write a line " + name + ":PASSWORD");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Authorization", proof.get());
    headers.put("Accept", "application/json");
    request.account().filter(it -> !passwords).ifPresent(it -> headers.put(IDENTITY, it));
    if (request.body().isPresent()) {
      headers.put("Content-Type", "application/json");
    }
    return new RestRequest(request.method(), request.path(), headers, request.body());
  }

  private OarAnswer failed(RestAnswer said, Duration took) {
    return switch (said.ending()) {
      case NOT_REACHED ->
          new OarAnswer(
              ExchangeEnding.NOT_SENT,
              0,
              url + " cannot be reached; see 'url', and whether its web server runs" + said.body(),
              took);
      case NOT_PROVEN -> new OarAnswer(ExchangeEnding.NOT_SENT, 0, said.body(), took);
      case TIMED_OUT -> new OarAnswer(ExchangeEnding.TIMED_OUT, 0, "", limit);
      case TOO_LONG ->
          new OarAnswer(
              ExchangeEnding.BROKEN_OFF,
              0,
              "the answer has more than "
                  + (most >> 20)
                  + " MiB: 'output_most_mib' and an eighth of this process's heap bound it",
              took);
      case BROKEN_OFF, ANSWERED ->
          new OarAnswer(ExchangeEnding.BROKEN_OFF, 0, "the answer broke off" + said.body(), took);
    };
  }

  /** Made when it is needed first, and anew when the file has other certificates. */
  private synchronized RestServer server() throws IOException {
    byte[] pem = certificates.isPresent() ? read(certificates.get()) : new byte[0];
    if (server == null || !Arrays.equals(pem, trusted)) {
      Optional<SSLContext> trust = Optional.empty();
      if (certificates.isPresent()) {
        trust = Optional.of(TrustedCertificates.of(certificates.get(), pem));
      }
      server = new RestServer(place, limit, most, trust);
      trusted = pem;
    }
    return server;
  }

  private static byte[] read(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException(file + " has no certificates in PEM: " + e.getMessage(), e);
    }
  }

  private static Duration took(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
