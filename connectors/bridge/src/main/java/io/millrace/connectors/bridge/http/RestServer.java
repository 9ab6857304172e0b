package io.millrace.connectors.bridge.http;

import io.millrace.connectors.bridge.http.RestAnswer.RestEnding;
import io.millrace.schemas.door.AnswerTooLong;
import io.millrace.schemas.door.DoorOwner;
import io.millrace.schemas.door.NothingSent;
import io.millrace.schemas.door.PlainAnswer;
import io.millrace.schemas.door.PlainRequest;
import io.millrace.schemas.door.StrangeDoor;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * A server that is sent proofs of who asks. Each request is sent once, follows no other address,
 * and is bounded in time and in what its answer may have. At a port that anybody of this host could
 * open nothing is sent before it is known whose process has taken the connection.
 */
public final class RestServer {

  private static final Duration CONNECTING = Duration.ofSeconds(10);

  /**
   * Where it is.
   *
   * @param address without a slash at its end
   * @param accountKey of a cluster file that says who may listen there besides root and this
   *     process's account
   * @param account that one's value
   * @param proof what to look at when a server does not prove who it is
   */
  public record RestPlace(
      String address, String accountKey, Optional<String> account, String proof) {}

  private final RestPlace place;
  private final Duration limit;
  private final long most;
  private final boolean anybodys;
  private final HttpClient client;

  /**
   * @param limit of each request
   * @param most bytes of an answer
   * @param trust whose certificates are taken; empty for those that are usual
   */
  public RestServer(RestPlace place, Duration limit, long most, Optional<SSLContext> trust) {
    this.place = place;
    this.limit = limit;
    this.most = most;
    this.anybodys = HostPort.isAnybodys(place.address());
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connecting());
    trust.ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  private Duration connecting() {
    return limit.compareTo(CONNECTING) < 0 ? limit : CONNECTING;
  }

  /**
   * Sends a request and waits for what becomes of it.
   *
   * @throws IllegalArgumentException in one line when it is no request of HTTP; nothing was sent
   */
  public RestAnswer send(RestRequest request) throws InterruptedException {
    DoorOwner owner;
    try {
      owner = HostPort.owner(place.account());
    } catch (IOException e) {
      return RestAnswer.none(RestEnding.NOT_PROVEN, place.accountKey() + ": " + e.getMessage());
    }
    CompletableFuture<RestAnswer> answer = anybodys ? sendHere(request, owner) : sendByJdk(request);
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return RestAnswer.none(RestEnding.TIMED_OUT, "");
    } catch (ExecutionException e) {
      return failed(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private CompletableFuture<RestAnswer> sendByJdk(RestRequest request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(place.address() + request.path())).timeout(limit);
    request.headers().forEach(builder::header);
    HttpRequest.BodyPublisher body =
        request
            .body()
            .map(HttpRequest.BodyPublishers::ofString)
            .orElse(HttpRequest.BodyPublishers.noBody());
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(
            builder.method(request.method(), body).build(), head -> new BoundedBody(most));
    CompletableFuture<RestAnswer> answer =
        sent.thenApply(it -> RestAnswer.of(it.statusCode(), it.body()));
    answer.whenComplete((said, why) -> sent.cancel(true));
    return answer;
  }

  private CompletableFuture<RestAnswer> sendHere(RestRequest request, DoorOwner owner) {
    PlainRequest plain = plain(request);
    CompletableFuture<RestAnswer> answer = new CompletableFuture<>();
    Thread thread = new Thread(() -> answer(plain, request, owner, answer), "outside-http");
    thread.setDaemon(true);
    thread.start();
    // Who waits no longer ends the connection under it.
    answer.whenComplete((said, why) -> close(plain));
    return answer;
  }

  private PlainRequest plain(RestRequest request) {
    try {
      PlainRequest plain =
          new PlainRequest(request.method(), URI.create(place.address() + request.path()).toURL());
      request.headers().forEach(plain::header);
      return plain;
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private void answer(
      PlainRequest plain,
      RestRequest request,
      DoorOwner owner,
      CompletableFuture<RestAnswer> answer) {
    try {
      byte[] body = request.body().map(it -> it.getBytes(StandardCharsets.UTF_8)).orElse(null);
      PlainRequest.PlainBounds bounds =
          new PlainRequest.PlainBounds((int) connecting().toMillis(), (int) limit.toMillis(), most);
      PlainAnswer said = plain.send(body, owner, bounds);
      answer.complete(RestAnswer.of(said.status(), said.body()));
    } catch (IOException | RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  private static void close(PlainRequest plain) {
    try {
      plain.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private RestAnswer failed(Throwable why) {
    if (why instanceof StrangeDoor strange) {
      return RestAnswer.none(RestEnding.NOT_PROVEN, stranger(strange.account()));
    }
    if (why instanceof SSLHandshakeException) {
      return RestAnswer.none(
          RestEnding.NOT_PROVEN,
          place.address() + " does not prove who it is; " + place.proof() + said(why));
    }
    if (why instanceof ConnectException
        || why instanceof HttpConnectTimeoutException
        || why instanceof NothingSent
        || why instanceof UnresolvedAddressException
        || why.getCause() instanceof UnresolvedAddressException) {
      return RestAnswer.none(RestEnding.NOT_REACHED, said(why));
    }
    if (why instanceof HttpTimeoutException || why instanceof SocketTimeoutException) {
      return RestAnswer.none(RestEnding.TIMED_OUT, "");
    }
    return why instanceof AnswerTooLong
        ? RestAnswer.none(RestEnding.TOO_LONG, "")
        : RestAnswer.none(RestEnding.BROKEN_OFF, said(why));
  }

  private String stranger(String account) {
    return place.address()
        + " belongs to account "
        + account
        + ", so that nothing was sent there; if that is its server, set '"
        + place.accountKey()
        + " = "
        + account
        + "'";
  }

  private static String said(Throwable why) {
    return why.getMessage() == null ? "" : " (" + why.getMessage() + ")";
  }
}
