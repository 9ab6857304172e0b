package io.millrace.server.client;

import io.millrace.schemas.door.DoorOwner;
import io.millrace.schemas.door.PlainAnswer;
import io.millrace.schemas.door.PlainRequest;
import io.millrace.schemas.door.StrangeDoor;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpRetryException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Set;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The door for HTTP of a gateway on another host, and who we are there: by a token, else by MUNGE.
 * Over TLS a certificate says whose door it is; without, on this host only, the kernel does.
 */
final class HttpGateway {
  private static final int CONNECT_MS = 3_000;

  /** Longer than the door works on one request. */
  private static final int ANSWER_MS = 120_000;

  /** What a door answers is an invocation's output, which has no bound. */
  private static final PlainRequest.PlainBounds BOUNDS =
      new PlainRequest.PlainBounds(CONNECT_MS, ANSWER_MS, Integer.MAX_VALUE);

  private static final int ROOT = 0;

  private static final String SESSION = "/v1/session";
  private static final String ABOUT = "/v1/about";
  private static final String FRAMES = "application/x-millrace-frames";

  /** The door has no room now. */
  static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;

    BusyException(String reason) {
      super(reason);
    }
  }

  private final String url;
  private final String token;
  private final SSLSocketFactory trust;

  private HttpGateway(String url, String token, SSLSocketFactory trust) {
    this.url = url;
    this.token = token;
    this.trust = trust;
  }

  /**
   * The one that {@code MILLRACE_URL} names; null without it.
   *
   * @throws ProtocolViolation in one line when the environment makes no sense
   */
  static HttpGateway fromEnvironment() {
    String url = System.getenv("MILLRACE_URL");
    if (url == null || url.isEmpty()) {
      return null;
    }
    while (url.endsWith("/")) {
      url = url.substring(0, url.length() - 1);
    }
    if (!url.matches("https?://[^/?#@]+(/[^?#]*)?")) {
      throw new ProtocolViolation("MILLRACE_URL=" + url + ": give http://HOST:PORT or https://");
    }
    if (url.startsWith("http:")
        && !url.matches("http://(127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?(/.*)?")) {
      throw new ProtocolViolation(
          "MILLRACE_URL="
              + url
              + ": a token would travel in the clear; give https://, or http://127.0.0.1:PORT for a"
              + " door on this host");
    }
    String ca = System.getenv("MILLRACE_CA");
    SSLSocketFactory trust = ca == null || ca.isEmpty() ? null : trusting(ca);
    return new HttpGateway(url, token(), trust);
  }

  /** Null when there is none: then MUNGE says who we are. */
  private static String token() {
    String file = System.getenv("MILLRACE_TOKEN_FILE");
    if (file == null || file.isEmpty()) {
      String given = System.getenv("MILLRACE_TOKEN");
      return given == null || given.isEmpty() ? null : given;
    }
    try (FileInputStream in = new FileInputStream(file)) {
      if (openToOthers(file)) {
        throw new ProtocolViolation(
            "MILLRACE_TOKEN_FILE=" + file + " can be read by others: chmod 600 it");
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim();
    } catch (IOException e) {
      throw new ProtocolViolation("MILLRACE_TOKEN_FILE=" + file + ": " + Conversation.words(e));
    }
  }

  private static boolean openToOthers(String file) throws IOException {
    for (PosixFilePermission each : Files.getPosixFilePermissions(Path.of(file))) {
      if (!each.name().startsWith("OWNER")) {
        return true;
      }
    }
    return false;
  }

  private static SSLSocketFactory trusting(String pem) {
    try (FileInputStream in = new FileInputStream(pem)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      InputStream all = new ByteArrayInputStream(in.readAllBytes());
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(all)) {
        store.setCertificateEntry("ca" + number++, one);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException e) {
      throw new ProtocolViolation("MILLRACE_CA=" + pem + ": " + Conversation.words(e));
    } catch (GeneralSecurityException e) {
      throw new ProtocolViolation(
          "MILLRACE_CA=" + pem + " holds no certificates: " + e.getMessage());
    }
  }

  String url() {
    return url;
  }

  /**
   * The cluster's id; tells at once whether anybody is there.
   *
   * @throws IOException when nobody is, or no room is left: that may be another one next time
   */
  String cluster() throws IOException {
    DoorAnswer answer = ask("GET", ABOUT, "", null);
    String text = answer.text();
    if (answer.isBusy()) {
      throw new IOException(answer.message());
    }
    String name = "\"cluster\":\"";
    int from = text.indexOf(name);
    int to = from < 0 ? -1 : text.indexOf('"', from + name.length());
    if (answer.status() != 200 || to < 0) {
      throw new ProtocolViolation(url + " is no door of Millrace (HTTP " + answer.status() + ")");
    }
    return text.substring(from + name.length(), to);
  }

  /**
   * Says all that is known, and hears what the command says to it.
   *
   * @throws BusyException when the door has no room now
   * @throws ProtocolViolation when it refuses
   * @throws IOException when the connection broke
   */
  byte[] session(String cluster, byte[] body) throws IOException, BusyException {
    DoorAnswer answer = ask("POST", SESSION, cluster, body);
    if (answer.status() == 200) {
      return answer.body();
    }
    if (answer.status() == 401) {
      throw new ProtocolViolation(
          url + " does not take " + (token == null ? "our MUNGE credential" : "our token"));
    }
    if (answer.isBusy()) {
      throw new BusyException(answer.message());
    }
    throw new ProtocolViolation(answer.message());
  }

  /**
   * @param body null sends neither one nor who we are
   */
  private DoorAnswer ask(String method, String path, String cluster, byte[] body)
      throws IOException {
    URL target = target(path);
    String authorization = body == null ? "" : authorization(cluster, target.getFile(), body);
    if (target.getProtocol().equals("https")) {
      return askWithTls(method, target, authorization, body);
    }
    return askHere(method, target, authorization, body);
  }

  private DoorAnswer askHere(String method, URL target, String authorization, byte[] body)
      throws IOException {
    try (PlainRequest request = new PlainRequest(method, target)) {
      if (body != null) {
        request.header("Content-Type", FRAMES);
        request.header("Authorization", authorization);
      }
      PlainAnswer answer = request.send(body, new DoorOwner(Set.of(homeUid())), BOUNDS);
      return new DoorAnswer(answer.status(), answer.body());
    } catch (StrangeDoor e) {
      throw new ProtocolViolation(
          target.getProtocol()
              + "://"
              + target.getAuthority()
              + " is not Millrace's door: it belongs to account "
              + e.account()
              + "; nothing was sent there");
    } catch (IllegalArgumentException e) {
      throw new ProtocolViolation(e.getMessage());
    }
  }

  /** Whose home {@code MILLRACE_HOME} or the place of this program names. */
  private static int homeUid() throws IOException {
    String home = System.getenv("MILLRACE_HOME");
    if (home == null || home.isEmpty()) {
      home = System.getProperty("millrace.home");
    }
    if (home == null || home.isEmpty() || !Files.isDirectory(Path.of(home))) {
      return ROOT;
    }
    return (Integer) Files.getAttribute(Path.of(home), "unix:uid");
  }

  private URL target(String path) throws IOException {
    try {
      return new URI(url + path).toURL();
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new ProtocolViolation("MILLRACE_URL=" + url + ": " + e.getMessage());
    }
  }

  private String authorization(String cluster, String target, byte[] body) throws IOException {
    if (token != null) {
      return "Bearer " + token;
    }
    return "MUNGE " + Munge.credential(SignedRequest.bytes(cluster, "POST", target, "", body));
  }

  private DoorAnswer askWithTls(String method, URL target, String authorization, byte[] body)
      throws IOException {
    HttpsURLConnection connection = (HttpsURLConnection) target.openConnection();
    if (trust != null) {
      connection.setSSLSocketFactory(trust);
    }
    connection.setRequestMethod(method);
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout(CONNECT_MS);
    connection.setReadTimeout(ANSWER_MS);
    int status;
    try {
      if (body != null) {
        connection.setDoOutput(true);
        // A fixed length also keeps the JDK from sending it again by itself.
        connection.setFixedLengthStreamingMode(body.length);
        connection.setRequestProperty("Content-Type", FRAMES);
        connection.setRequestProperty("Authorization", authorization);
        connection.getOutputStream().write(body);
      }
      status = connection.getResponseCode();
    } catch (HttpRetryException e) {
      return new DoorAnswer(e.responseCode(), new byte[0]);
    }
    return new DoorAnswer(status, content(connection, status));
  }

  private static byte[] content(HttpsURLConnection connection, int status) throws IOException {
    InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    if (in == null) {
      return new byte[0];
    }
    try (InputStream all = in) {
      return all.readAllBytes();
    }
  }
}
