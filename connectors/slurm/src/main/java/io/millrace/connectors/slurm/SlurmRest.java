package io.millrace.connectors.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.http.BoundedBody;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * slurmrestd, in place of Slurm's commands and of sudo: each account proves itself by a token. What
 * it answers is told in the words of the commands, which mean the same. Each request is sent once,
 * follows no other address, and is bounded in time and in what its answer may have.
 */
final class SlurmRest implements SlurmDoor {

  /** What is said of an account whose token is missing or refused begins so. */
  static final String NO_TOKEN = "token: ";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 401;
  private static final int OK = 200;

  private final String url;
  private final Path tokens;
  private final Duration limit;
  private final long most;
  private final HttpClient client;

  SlurmRest(ClusterFile file) {
    this.url = file.text(SlurmKind.REST);
    this.tokens = Path.of(file.text(SlurmKind.TOKENS));
    this.limit = Duration.ofSeconds(file.number("command_limit_s"));
    this.most = file.number("output_most_mib") << 20;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(limit.compareTo(CONNECTING) < 0 ? limit : CONNECTING)
            .build();
  }

  @Override
  public OutsideAnswer ask(List<String> words) throws InterruptedException {
    return send(Optional.empty(), words, new byte[0]);
  }

  @Override
  public OutsideAnswer order(String account, List<String> words, byte[] input)
      throws InterruptedException {
    return send(Optional.of(account), words, input);
  }

  /** No process of this machine has it; what the time limit allows slurmrestd is waited for. */
  @Override
  public boolean isSubmitting(OutsideTag tag, String account) {
    return false;
  }

  private OutsideAnswer send(Optional<String> account, List<String> words, byte[] input)
      throws InterruptedException {
    long begin = System.nanoTime();
    HttpRequest request;
    try {
      SlurmRequest wanted = SlurmRequest.of(words, input);
      SlurmTokens known = SlurmTokens.read(tokens);
      String name = account.orElse(known.first());
      String token = known.byAccount().get(name);
      if (token == null) {
        String why = tokens + " has no token of " + name + "; write a line " + name + ":TOKEN";
        return answer(ProcessEnding.EXITED, 1, NO_TOKEN + why, begin);
      }
      // slurmrestd passes it on, and what slurmctld says of it leaves open what it has done.
      if (known.end(name).filter(Instant.now()::isAfter).isPresent()) {
        String why =
            "that of " + name + " in " + tokens + " is over; make one with 'scontrol token'";
        return answer(ProcessEnding.EXITED, 1, NO_TOKEN + why, begin);
      }
      request = request(wanted, name, token);
    } catch (IllegalArgumentException e) {
      return answer(ProcessEnding.EXITED, 1, e.getMessage(), begin);
    } catch (IOException e) {
      return answer(ProcessEnding.NOT_STARTED, -1, e.getMessage(), begin);
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(most));
    try {
      HttpResponse<byte[]> whole = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return told(words, account, whole, begin);
    } catch (TimeoutException e) {
      return new OutsideAnswer(ProcessEnding.TIMED_OUT, -1, "", "", limit);
    } catch (ExecutionException e) {
      return failed(e.getCause(), begin);
    } finally {
      answer.cancel(true);
    }
  }

  private HttpRequest request(SlurmRequest wanted, String name, String token) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url + wanted.path()))
            .timeout(limit)
            .header("X-SLURM-USER-NAME", name)
            .header("X-SLURM-USER-TOKEN", token)
            .header("Accept", "application/json");
    if (wanted.body().isPresent()) {
      builder.header("Content-Type", "application/json");
    }
    return builder
        .method(
            wanted.method(),
            wanted
                .body()
                .map(HttpRequest.BodyPublishers::ofString)
                .orElse(HttpRequest.BodyPublishers.noBody()))
        .build();
  }

  private OutsideAnswer told(
      List<String> words, Optional<String> account, HttpResponse<byte[]> whole, long begin) {
    String body = new String(whole.body(), StandardCharsets.UTF_8);
    if (whole.statusCode() == UNAUTHORIZED) {
      String why = url + " refuses the token";
      return account.isPresent()
          ? answer(
              ProcessEnding.EXITED,
              1,
              NO_TOKEN + why + " of " + account.get() + "; make one with 'scontrol token'",
              begin)
          : answer(ProcessEnding.NOT_STARTED, -1, why + " that stands first in " + tokens, begin);
    }
    if (account.isEmpty()) {
      return whole.statusCode() == OK
          ? new OutsideAnswer(ProcessEnding.EXITED, 0, body, "", took(begin))
          : answer(ProcessEnding.CUT, -1, "", begin);
    }
    JsonNode said;
    try {
      said = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return answer(ProcessEnding.CUT, -1, "", begin);
    }
    Optional<String> error = error(said);
    if (error.isPresent()) {
      String before = words.get(0).equals("sbatch") ? "submission failed: " : "";
      return answer(ProcessEnding.EXITED, 1, before + error.get(), begin);
    }
    if (whole.statusCode() != OK) {
      return answer(ProcessEnding.CUT, -1, "", begin);
    }
    String out = words.get(0).equals("sbatch") ? said.path("job_id").asText("") + "\n" : "";
    return new OutsideAnswer(ProcessEnding.EXITED, 0, out, "", took(begin));
  }

  /** The first thing that is wrong, which the others follow from. */
  private static Optional<String> error(JsonNode said) {
    for (JsonNode each : said.path("errors")) {
      String text = each.path("error").asText("");
      return Optional.of(text.isEmpty() ? each.toString() : text);
    }
    return Optional.empty();
  }

  private OutsideAnswer failed(Throwable why, long begin) {
    if (why instanceof ConnectException
        || why instanceof HttpConnectTimeoutException
        || why instanceof UnresolvedAddressException
        || why.getCause() instanceof UnresolvedAddressException) {
      String text = url + " cannot be reached; see 'rest', and whether slurmrestd runs there";
      return answer(ProcessEnding.NOT_STARTED, -1, text, begin);
    }
    return why instanceof BoundedBody.AnswerTooLarge
        ? answer(ProcessEnding.TOO_LONG, -1, "", begin)
        : answer(ProcessEnding.CUT, -1, "", begin);
  }

  private static OutsideAnswer answer(ProcessEnding ending, int status, String err, long begin) {
    return new OutsideAnswer(ending, status, "", err, took(begin));
  }

  private static Duration took(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
