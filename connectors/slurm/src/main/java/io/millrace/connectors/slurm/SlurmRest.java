package io.millrace.connectors.slurm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.http.RestAnswer;
import io.millrace.connectors.bridge.http.RestAnswer.RestEnding;
import io.millrace.connectors.bridge.http.RestRequest;
import io.millrace.connectors.bridge.http.RestServer;
import io.millrace.connectors.bridge.http.RestServer.RestPlace;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * slurmrestd, in place of Slurm's commands and of sudo: each account proves itself by a token. What
 * it answers is told in the words of the commands, which mean the same.
 */
final class SlurmRest implements SlurmDoor {

  /** What is said of an account whose token is missing or refused begins so. */
  static final String NO_TOKEN = "token: ";

  /** What is said of an order that slurmrestd has no request for begins so; nothing was sent. */
  static final String NO_REQUEST = "request: ";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What becomes of an order whose token slurmctld does not take, as slurmrestd says it. */
  private static final Pattern DOUBTFUL =
      Pattern.compile("Zero Bytes were transmitted|Unexpected message received");

  private static final int UNAUTHORIZED = 401;
  private static final int OK = 200;

  private final String url;
  private final Path tokens;
  private final Duration limit;
  private final RestServer server;

  /** Tokens by accounts, whose last order was not answered by slurmctld. */
  private final Map<String, String> doubted = new ConcurrentHashMap<>();

  SlurmRest(ClusterFile file) {
    this.url = file.text(SlurmKeys.REST);
    this.tokens = Path.of(file.text(SlurmKind.TOKENS));
    this.limit = Duration.ofSeconds(file.number("command_limit_s"));
    this.server =
        new RestServer(
            new RestPlace(
                url,
                SlurmKind.REST_ACCOUNT,
                file.given(SlurmKind.REST_ACCOUNT),
                "have this Java trust its certificate"),
            limit,
            file.bodyMost(),
            Optional.empty());
  }

  @Override
  public OutsideAnswer ask(List<String> words) throws InterruptedException {
    return send(Optional.empty(), words, new byte[0]);
  }

  @Override
  public OutsideAnswer queueAs(String account, List<String> words) throws InterruptedException {
    return send(Optional.of(account), words, new byte[0]);
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
      if (account.isPresent() && isRefused(known, name)) {
        String why = url + " passes on that of " + name + " in " + tokens + ", and slurmctld does";
        return answer(
            ProcessEnding.EXITED,
            1,
            NO_TOKEN + why + " not take it; make one with 'scontrol token'",
            begin);
      }
      RestAnswer said = server.send(request(wanted, name, token));
      if (account.isPresent() && DOUBTFUL.matcher(said.body()).find()) {
        doubted.put(name, token);
      }
      return said.ending() == RestEnding.ANSWERED
          ? told(words, account, said, begin)
          : unanswered(said, begin);
    } catch (IllegalArgumentException e) {
      return answer(ProcessEnding.EXITED, 1, NO_REQUEST + e.getMessage(), begin);
    } catch (IOException e) {
      return answer(ProcessEnding.NOT_STARTED, -1, e.getMessage(), begin);
    }
  }

  /**
   * Whether slurmctld takes a token no more whose last order it did not answer. To a token that it
   * does not take it says nothing, as when it dies: the order stays in doubt, and before the next
   * one a question tells whether that is the token's fault, or of all.
   */
  private boolean isRefused(SlurmTokens known, String name) throws InterruptedException {
    String token = known.byAccount().get(name);
    if (!token.equals(doubted.get(name)) || name.equals(known.first())) {
      return false;
    }
    if (!isAnswered(known, name) && isAnswered(known, known.first())) {
      return true;
    }
    doubted.remove(name, token);
    return false;
  }

  private boolean isAnswered(SlurmTokens known, String name) throws InterruptedException {
    SlurmRequest question = SlurmRequest.of(List.of("sinfo"), new byte[0]);
    RestAnswer said = server.send(request(question, name, known.byAccount().get(name)));
    return said.ending() == RestEnding.ANSWERED && said.status() == OK;
  }

  private static RestRequest request(SlurmRequest wanted, String name, String token) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("X-SLURM-USER-NAME", name);
    headers.put("X-SLURM-USER-TOKEN", token);
    headers.put("Accept", "application/json");
    if (wanted.body().isPresent()) {
      headers.put("Content-Type", "application/json");
    }
    return new RestRequest(wanted.method(), wanted.path(), headers, wanted.body());
  }

  private OutsideAnswer told(
      List<String> words, Optional<String> account, RestAnswer whole, long begin) {
    String body = whole.body();
    if (whole.status() == UNAUTHORIZED) {
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
      return whole.status() == OK
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
    if (whole.status() != OK) {
      return answer(ProcessEnding.CUT, -1, "", begin);
    }
    String out =
        switch (words.get(0)) {
          case "sbatch" -> said.path("job_id").asText("") + "\n";
          case "squeue" -> body;
          default -> "";
        };
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

  private OutsideAnswer unanswered(RestAnswer said, long begin) {
    return switch (said.ending()) {
      case NOT_REACHED ->
          answer(
              ProcessEnding.NOT_STARTED,
              -1,
              url + " cannot be reached; see 'rest', and whether slurmrestd runs there",
              begin);
      case NOT_PROVEN -> answer(ProcessEnding.NOT_STARTED, -1, said.body(), begin);
      case TIMED_OUT -> new OutsideAnswer(ProcessEnding.TIMED_OUT, -1, "", "", limit);
      case TOO_LONG -> answer(ProcessEnding.TOO_LONG, -1, "", begin);
      case BROKEN_OFF, ANSWERED -> answer(ProcessEnding.CUT, -1, "", begin);
    };
  }

  private static OutsideAnswer answer(ProcessEnding ending, int status, String err, long begin) {
    return new OutsideAnswer(ending, status, "", err, took(begin));
  }

  private static Duration took(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
