package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.http.BoundedBody;
import io.millrace.connectors.bridge.http.TrustedCertificates;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/**
 * OAR's REST API over HTTP. Each request is sent once, follows no other address, and is bounded in
 * time and in what its answer may have.
 */
public final class OarDoor implements OarExchange {

  private static final Duration CONNECTING = Duration.ofSeconds(10);

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
  private HttpClient client;

  /** What the file of certificates had when the client was made. */
  private byte[] trusted = {};

  public OarDoor(ClusterFile file) {
    this.url = file.text(OarKind.URL);
    this.credentials = Path.of(file.text(OarKind.CREDENTIALS));
    this.passwords = file.text(OarKind.IDENTITY).equals(OarKind.BY_PASSWORD);
    this.limit = Duration.ofSeconds(file.number("command_limit_s"));
    this.most = file.number("output_most_mib") << 20;
    this.certificates = file.given(OarKind.CERTIFICATES).map(Path::of);
  }

  @Override
  public OarAnswer ask(OarRequest request) throws InterruptedException {
    long begin = System.nanoTime();
    HttpRequest sent;
    HttpClient by;
    try {
      sent = request(request);
      by = client();
    } catch (NoPassword e) {
      return new OarAnswer(ExchangeEnding.ACCOUNT_REFUSED, 0, e.getMessage(), took(begin));
    } catch (IOException e) {
      return new OarAnswer(ExchangeEnding.NOT_SENT, 0, e.getMessage(), took(begin));
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        by.sendAsync(sent, head -> new BoundedBody(most));
    try {
      HttpResponse<byte[]> whole = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      OarAnswer said =
          new OarAnswer(
              ExchangeEnding.ANSWERED,
              whole.statusCode(),
              new String(whole.body(), StandardCharsets.UTF_8),
              took(begin));
      return said.status() == UNAUTHORIZED && isByOwnPassword(request)
          ? new OarAnswer(ExchangeEnding.ACCOUNT_REFUSED, UNAUTHORIZED, said.trouble(), said.took())
          : said;
    } catch (TimeoutException e) {
      return new OarAnswer(ExchangeEnding.TIMED_OUT, 0, "", limit);
    } catch (ExecutionException e) {
      return failed(e.getCause(), took(begin));
    } finally {
      answer.cancel(true);
    }
  }

  /** Whether a refused password is that of one account; else it is the one that all use. */
  private boolean isByOwnPassword(OarRequest request) {
    return passwords && request.account().isPresent();
  }

  private HttpRequest request(OarRequest request) throws IOException {
    OarCredentials known = OarCredentials.read(credentials);
    String name = request.account().filter(it -> passwords).orElse(known.first());
    Optional<String> proof = known.header(name);
    if (proof.isEmpty()) {
      throw new NoPassword(
          credentials + " has no password of " + name + "; write a line " + name + ":PASSWORD");
    }
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url + request.path()))
            .timeout(limit)
            .header("Authorization", proof.get())
            .header("Accept", "application/json");
    request.account().filter(it -> !passwords).ifPresent(it -> builder.header(IDENTITY, it));
    if (request.body().isPresent()) {
      builder.header("Content-Type", "application/json");
    }
    return builder
        .method(
            request.method(),
            request
                .body()
                .map(HttpRequest.BodyPublishers::ofString)
                .orElse(HttpRequest.BodyPublishers.noBody()))
        .build();
  }

  private OarAnswer failed(Throwable why, Duration took) {
    if (why instanceof ConnectException
        || why instanceof HttpConnectTimeoutException
        || why instanceof UnresolvedAddressException
        || why.getCause() instanceof UnresolvedAddressException) {
      String text =
          url + " cannot be reached; see 'url', and whether its web server runs" + said(why);
      return new OarAnswer(ExchangeEnding.NOT_SENT, 0, text, took);
    }
    if (why instanceof SSLHandshakeException) {
      String text = url + " does not prove who it is; see 'certificates'" + said(why);
      return new OarAnswer(ExchangeEnding.NOT_SENT, 0, text, took);
    }
    if (why instanceof HttpTimeoutException) {
      return new OarAnswer(ExchangeEnding.TIMED_OUT, 0, "", limit);
    }
    String text =
        why instanceof BoundedBody.AnswerTooLarge
            ? "the answer has more than " + (most >> 20) + " MiB; see 'output_most_mib'"
            : "the answer broke off" + said(why);
    return new OarAnswer(ExchangeEnding.BROKEN_OFF, 0, text, took);
  }

  private static String said(Throwable why) {
    return why.getMessage() == null ? "" : " (" + OarAnswer.line(why.getMessage()) + ")";
  }

  /** Made when it is needed first, and anew when the file has other certificates. */
  private synchronized HttpClient client() throws IOException {
    byte[] pem = certificates.isPresent() ? read(certificates.get()) : new byte[0];
    if (client == null || !Arrays.equals(pem, trusted)) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(limit.compareTo(CONNECTING) < 0 ? limit : CONNECTING);
      if (certificates.isPresent()) {
        builder.sslContext(TrustedCertificates.of(certificates.get(), pem));
      }
      client = builder.build();
      trusted = pem;
    }
    return client;
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
