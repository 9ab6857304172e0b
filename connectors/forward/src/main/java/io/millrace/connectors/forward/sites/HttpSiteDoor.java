package io.millrace.connectors.forward.sites;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.connectors.bridge.http.BoundedBody;
import io.millrace.connectors.bridge.http.TrustedCertificates;
import io.millrace.schemas.pbs.PbsError;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Doors of other installations, over HTTPS, with what the file says of them. Thread-safe. */
final class HttpSiteDoor implements SiteDoor {
  private static final Logger log = LoggerFactory.getLogger(HttpSiteDoor.class);

  private static final int ANSWER_BYTES_MAX = 1 << 20;
  private static final int LOOK_S = 10;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern LOST = Pattern.compile("[^,()\\s]+ \\([^()]*\\)");

  /** By these a door says that it has not carried out what was asked for. */
  private static final List<Integer> REFUSED = List.of(400, 401, 403, 404, 405, 413);

  private final SitesFile file;
  private final Map<String, HttpClient> clients = new ConcurrentHashMap<>();

  /** What was written to the log last of what is wrong with the files. */
  private final AtomicReference<String> logged = new AtomicReference<>("");

  HttpSiteDoor(SitesFile file) {
    this.file = file;
  }

  @Override
  public boolean knows(String site) {
    try {
      file.site(site);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public SiteReply command(String site, UUID id, int seconds, List<String> words)
      throws InterruptedException {
    String name = words.get(0);
    ObjectNode body = JSON.createObjectNode();
    ArrayNode arguments = body.putArray("arguments");
    words.stream().skip(1).forEach(arguments::add);
    body.putObject("environment").put("TZ", "UTC");
    HttpRequest.BodyPublisher text = HttpRequest.BodyPublishers.ofString(body.toString());
    return ask(
        site,
        seconds,
        "/v1/commands/" + name,
        it -> it.header("Idempotency-Key", id.toString()).POST(text),
        answer -> {
          JsonNode said = answer.status() == 200 ? answer.json() : null;
          if (said == null || !isResult(said, name, id)) {
            return refused(answer);
          }
          return new SiteReply.Said(
              said.get("exit_status").intValue(),
              said.get("stdout").textValue(),
              said.get("stderr").textValue());
        });
  }

  private static boolean isResult(JsonNode said, String name, UUID id) {
    return said.path("exit_status").isInt()
        && said.path("stdout").isTextual()
        && said.path("stderr").isTextual()
        && name.equals(said.path("command").textValue())
        && id.toString().equals(said.path("command_id").textValue());
  }

  @Override
  public SiteReply look(String site, String reservation) throws InterruptedException {
    return ask(
        site,
        LOOK_S,
        "/v1/reservations/" + reservation,
        HttpRequest.Builder::GET,
        answer -> {
          JsonNode said = answer.json();
          if (answer.status() == 404 && said != null) {
            int code = said.path("error").path("code").asInt();
            if (code == PbsError.UNKNOWN_RESERVATION.code()) {
              return new SiteReply.Absent();
            }
          }
          JsonNode shown = said == null ? null : said.path("reservation");
          boolean named =
              answer.status() == 200
                  && shown != null
                  && said.path("id").asText().startsWith(reservation + ".")
                  && shown.path("reserve_state").asText().startsWith("RESV_");
          return named ? seen(shown) : refused(answer);
        });
  }

  private static SiteReply seen(JsonNode shown) {
    List<String> lost = new ArrayList<>();
    Matcher each = LOST.matcher(shown.path("lost_nodes").asText());
    while (each.find()) {
      lost.add(PartRequest.line(each.group()));
    }
    String state = shown.path("reserve_state").asText().substring("RESV_".length());
    return new SiteReply.ShownThere(
        PartRequest.line(state), PartRequest.line(shown.path("transaction").asText()), lost);
  }

  /** An answer as it came. */
  private record SiteAnswer(int status, byte[] body) {

    /** Null when it is none. */
    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        return null;
      }
    }
  }

  private interface HttpAsking {
    HttpRequest.Builder shape(HttpRequest.Builder request);
  }

  private interface AnswerReader {
    SiteReply read(SiteAnswer answer);
  }

  private SiteReply ask(
      String name, int seconds, String path, HttpAsking shaping, AnswerReader reading)
      throws InterruptedException {
    SitesFile.OtherSite site;
    HttpRequest request;
    HttpClient client;
    try {
      site = file.site(name);
      client = client(site);
      request =
          shaping
              .shape(HttpRequest.newBuilder(URI.create(site.door() + path)))
              .header("Authorization", "Bearer " + site.token())
              .header("Content-Type", "application/json")
              .timeout(Duration.ofSeconds(seconds))
              .build();
    } catch (IOException e) {
      return notSetUp(name, e);
    }
    String door = site.door().getAuthority();
    CompletableFuture<HttpResponse<byte[]>> asked =
        client.sendAsync(request, it -> new BoundedBody(ANSWER_BYTES_MAX));
    try {
      HttpResponse<byte[]> answer = asked.get(seconds, TimeUnit.SECONDS);
      return reading.read(new SiteAnswer(answer.statusCode(), answer.body()));
    } catch (TimeoutException e) {
      asked.cancel(true);
      return late(door, seconds);
    } catch (ExecutionException e) {
      return failed(door, seconds, e.getCause());
    } finally {
      asked.cancel(true);
    }
  }

  /** Users read that it is not set up, administrators what is wrong with which file. */
  private SiteReply notSetUp(String name, IOException e) {
    if (e instanceof SitesFile.UnknownSiteException) {
      return new SiteReply.Unknown("it is not set up here: ask an administrator", true, true);
    }
    String words = PartRequest.line(String.valueOf(e.getMessage()));
    if (!words.equals(logged.getAndSet(words))) {
      log.warn("site {} cannot be asked: {}", name, words);
    }
    return new SiteReply.Unknown(
        "what is set up here for it cannot be used: ask an administrator", true, true);
  }

  /** Of some exceptions there are no words. */
  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : PartRequest.line(message);
  }

  private static SiteReply late(String door, int seconds) {
    return new SiteReply.Unknown(
        door + " has not answered in " + seconds + " seconds", false, false);
  }

  private static SiteReply failed(String door, int seconds, Throwable cause) {
    if (cause instanceof HttpTimeoutException) {
      return late(door, seconds);
    }
    if (cause instanceof SSLHandshakeException) {
      return new SiteReply.Unknown(door + " is not who it should be: " + words(cause), true, true);
    }
    if (cause instanceof ConnectException) {
      return new SiteReply.Unknown("cannot connect to " + door, false, true);
    }
    return new SiteReply.Unknown("no whole answer of " + door + ": " + words(cause), false, false);
  }

  /** What is no answer to what was asked. */
  private static SiteReply refused(SiteAnswer answer) {
    JsonNode said = answer.json();
    JsonNode error = said == null ? null : said.path("error").path("message");
    String words =
        error != null && error.isTextual()
            ? PartRequest.line(error.textValue())
            : "its answer is not understood: "
                + PartRequest.line(new String(answer.body(), StandardCharsets.UTF_8));
    boolean told = error != null && error.isTextual();
    boolean refused = told && REFUSED.contains(answer.status());
    boolean again = told && answer.status() >= 429;
    return new SiteReply.Unknown("HTTP " + answer.status() + ", " + words, !again, refused);
  }

  /** One for each content of the certificates to trust. */
  private HttpClient client(SitesFile.OtherSite site) throws IOException {
    byte[] pem = site.certificates();
    HttpClient known = clients.get(new String(pem, StandardCharsets.ISO_8859_1));
    if (known != null) {
      return known;
    }
    HttpClient.Builder fresh =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1);
    if (pem.length > 0) {
      fresh.sslContext(TrustedCertificates.of(site.trusted(), pem));
    }
    HttpClient made = fresh.build();
    clients.put(new String(pem, StandardCharsets.ISO_8859_1), made);
    return made;
  }
}
