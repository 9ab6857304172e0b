package io.millrace.connectors.slurm;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The jobs of {@code sacct --json}, one after the other. Words of users stand in it as texts of
 * JSON, so that nobody can write another job's record into his own.
 */
final class SacctJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final int BYTES_OF_KIB = 1024;

  /** What is said where no job is as the question wants it. */
  private static final int NOTHING_FOUND = 9003;

  private SacctJson() {}

  /**
   * Reads what the command has said.
   *
   * @param cluster whose jobs they have to be
   */
  static Told<List<SacctJob>> read(OutsideAnswer answer, String cluster) {
    if (!answer.isGood()) {
      return Told.nothing("sacct: " + answer.trouble());
    }
    List<SacctJob> jobs = new ArrayList<>();
    String wrong;
    try (JsonParser parser = MAPPER.getFactory().createParser(answer.text().reader())) {
      wrong = read(parser, cluster, jobs);
    } catch (IOException e) {
      wrong = "broken JSON: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
    return wrong.isEmpty() ? Told.of(jobs) : Told.nothing("sacct: " + wrong);
  }

  private static String read(JsonParser parser, String cluster, List<SacctJob> jobs)
      throws IOException {
    String errors = "there is no list of errors";
    boolean found = false;
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return "this is no JSON object";
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (name.equals("errors") && token == JsonToken.START_ARRAY) {
        errors = errors(MAPPER.readTree(parser));
      } else if (name.equals("jobs") && token == JsonToken.START_ARRAY) {
        found = true;
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          JsonNode job = MAPPER.readTree(parser);
          if (!job.path("cluster").asText().equals(cluster)) {
            return "a job is of the cluster " + job.path("cluster").asText() + ", not " + cluster;
          }
          job(job).ifPresent(jobs::add);
        }
      } else {
        parser.skipChildren();
      }
    }
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      return "the JSON breaks off";
    }
    return errors.isEmpty() && !found ? "there is no list of jobs" : errors;
  }

  private static String errors(JsonNode errors) {
    return StreamSupport.stream(errors.spliterator(), false)
        .filter(it -> it.path("error_number").asInt() != NOTHING_FOUND)
        .map(it -> it.path("description").asText(it.path("error").asText("an error")))
        .collect(Collectors.joining("; "));
  }

  /** A job; empty when what is needed is not there. */
  static Optional<SacctJob> job(JsonNode job) {
    long number = number(job.path("job_id"));
    String word = state(job.path("state").path("current"));
    if (number == 0 || word.isEmpty()) {
      return Optional.empty();
    }
    JsonNode array = job.path("array");
    OutsideId id =
        number(array.path("job_id")) == 0
            ? OutsideId.of(number)
            : new OutsideId(number(array.path("job_id")), number(array.path("task_id")));
    JsonNode time = job.path("time");
    return Optional.of(
        new SacctJob(
            id,
            job.path("user").isNull() ? "" : job.path("user").asText(),
            OutsideTag.read(job.path("comment").path("job").asText())
                .or(() -> OutsideTag.read(job.path("wckey").path("wckey").asText())),
            Optional.of(number(time.path("submission")))
                .filter(it -> it > 0)
                .map(Instant::ofEpochSecond),
            word,
            SlurmQueue.isOver(word) && number(time.path("end")) > 0
                ? Optional.of(end(job, word))
                : Optional.empty(),
            StreamSupport.stream(job.path("steps").spliterator(), false)
                .allMatch(it -> number(it.path("time").path("end")) > 0)));
  }

  private static OutsideEnd end(JsonNode job, String word) {
    JsonNode exit = job.path("exit_code");
    int signal = (int) number(exit.path("signal").path("signal_id"));
    OutsideEnd end =
        SlurmQueue.end(word, (int) number(exit.path("return_code")) & 0xff, signal & 0x7f);
    if (word.equals("FAILED") && end.status() == 0) {
      // Slurm 22.05 calls each status 0 in its JSON.
      end = new OutsideEnd(-1, 0, OutsideCause.EXITED, end.words());
    }
    JsonNode by = job.path("kill_request_user");
    OutsideEnd said =
        by.isNull() || by.asText().isEmpty()
            ? end
            : new OutsideEnd(
                end.status(), end.signal(), end.cause(), end.words() + " by " + by.asText());
    return usage(job).map(said::withUsage).orElse(said);
  }

  /** What its steps have used; empty where nobody has measured it. */
  private static Optional<OutsideUsage> usage(JsonNode job) {
    long cput = millis(job.path("time").path("total"));
    long ofSteps = 0;
    long mem = 0;
    long vmem = 0;
    for (JsonNode step : job.path("steps")) {
      ofSteps += millis(step.path("time").path("total"));
      for (JsonNode most : step.path("tres").path("requested").path("max")) {
        String type = most.path("type").asText();
        long kib = number(most.path("count")) / BYTES_OF_KIB;
        mem = type.equals("mem") ? Math.max(mem, kib) : mem;
        vmem = type.equals("vmem") ? Math.max(vmem, kib) : vmem;
      }
    }
    cput = Math.max(cput, ofSteps);
    return cput == 0 && mem == 0
        ? Optional.empty()
        : Optional.of(
            new OutsideUsage(cput, number(job.path("time").path("elapsed")) * 1000, mem, vmem));
  }

  private static long millis(JsonNode time) {
    return number(time.path("seconds")) * 1000 + number(time.path("microseconds")) / 1000;
  }

  /** A word, or the first of several: later versions have a list. */
  private static String state(JsonNode state) {
    return (state.isArray() ? state.path(0) : state).asText("");
  }

  /** A number, which later versions wrap into an object; 0 for none. */
  private static long number(JsonNode number) {
    return Math.max(0, (number.isObject() ? number.path("number") : number).asLong());
  }
}
