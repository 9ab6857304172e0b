package io.millrace.ops.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Calls the HTTP server as a program on another host would. */
final class WebCaller {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int BAD_CREDENTIAL = 15019;

  private final String url;
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  WebCaller(String url) {
    this.url = url;
  }

  /** Answer of the server. */
  record Answer(int status, JsonNode body, String key) {
    Answer must(int wanted) {
      if (status != wanted) {
        throw new AssertionError("HTTP " + status + ", not " + wanted + ": " + body);
      }
      return this;
    }
  }

  /** One of several attempts, each with a new credential where credentials are good only once. */
  interface Try {
    Answer ask() throws Exception;
  }

  /**
   * The first proper answer. On a busy machine the server may not learn in time who the caller is;
   * it then says so and has done nothing.
   */
  static Answer patiently(Try each) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Answer answer = each.ask();
    while (answer.status() == 503
        && answer.body().path("error").path("code").asInt() == BAD_CREDENTIAL
        && System.nanoTime() < deadline) {
      answer = each.ask();
    }
    return answer;
  }

  Answer get(String path, String authorization) throws IOException, InterruptedException {
    return ask("GET", path, authorization, "", "");
  }

  Answer post(String path, String authorization, String key, String body)
      throws IOException, InterruptedException {
    return ask("POST", path, authorization, key, body);
  }

  Answer put(String path, String authorization, String body)
      throws IOException, InterruptedException {
    return ask("PUT", path, authorization, "", body);
  }

  Answer delete(String path, String authorization) throws IOException, InterruptedException {
    return ask("DELETE", path, authorization, "", "");
  }

  /** Listens for changes, from the event after the given id if it is not empty. */
  WebEvents events(String path, String authorization, String lastId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", authorization);
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    HttpResponse<java.io.InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    if (answer.statusCode() != 200) {
      throw new AssertionError("HTTP " + answer.statusCode());
    }
    return new WebEvents(answer.body());
  }

  /**
   * @param authorization value of the header; null sends none
   * @param key value of Idempotency-Key; empty sends none
   */
  private Answer ask(String method, String path, String authorization, String key, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(PATIENCE)
            .method(method, HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    if (!key.isEmpty()) {
      request.header("Idempotency-Key", key);
    }
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(
        answer.statusCode(),
        json.readTree(answer.body()),
        answer.headers().firstValue("Idempotency-Key").orElse(""));
  }
}
