package io.millrace.connectors.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.OutsideState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers commands with what a real OpenPBS has printed. A job that was recorded as text is shown
 * as JSON, with the project that the last submission has asked for; all else is as it was recorded.
 */
final class RecordedOpenPbs implements ReplayedSystem {

  static final Path RECORDED =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared/transcripts/openpbs");

  private static final String ERROR = "stderr: ";

  /** Exit status of a question for a number that the server does not know. */
  private static final int UNKNOWN = 153;

  /** A command and what came of it. */
  record Exchange(String command, String out, String err, int status) {
    OutsideAnswer answer() {
      return new OutsideAnswer(ProcessEnding.EXITED, status, out, err, Duration.ofMillis(20));
    }
  }

  private final List<Exchange> exchanges = new ArrayList<>();
  private final List<String> accounting = new ArrayList<>();
  private final Map<String, OutsideAnswer> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private Map<String, String> shown = Map.of();
  private Optional<OutsideAnswer> queue = Optional.empty();
  private boolean hidden;
  private String project = "_pbs_project_default";

  RecordedOpenPbs() throws IOException {
    try (Stream<Path> files = Files.list(RECORDED)) {
      for (Path file : files.sorted().toList()) {
        read(Files.readAllLines(file));
      }
    }
    answers.put("qstat -B", first("qstat -B -f -F json").answer());
    answers.put("qstat -Q", first("qstat -Q -f -F json").answer());
    answers.put("pbsnodes", first("pbsnodes -av -F json").answer());
  }

  private void read(List<String> lines) {
    String command = null;
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    for (String line : lines) {
      if (line.matches("(\\[[a-z0-9]+])?\\$ .*")) {
        command = line.substring(line.indexOf("$ ") + 2);
        out.setLength(0);
        err.setLength(0);
      } else if (command != null && line.matches("exit: [0-9]+")) {
        exchanges.add(
            new Exchange(
                command, out.toString(), err.toString(), Integer.parseInt(line.substring(6))));
        command = null;
      } else if (line.startsWith(ERROR)) {
        err.append(line, ERROR.length(), line.length()).append('\n');
      } else {
        out.append(line).append('\n');
      }
      if (line.matches("[0-9/]{10} [0-9:]{8};[A-Za-z];.*")) {
        accounting.add(line);
      }
    }
  }

  private List<Exchange> all(String beginning) {
    List<Exchange> found =
        exchanges.stream().filter(it -> it.command().startsWith(beginning)).toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(beginning + ": was not recorded");
    }
    return found;
  }

  private Exchange first(String beginning) {
    return all(beginning).get(0);
  }

  private Exchange first(String beginning, int status) {
    return all(beginning).stream().filter(it -> it.status() == status).findFirst().orElseThrow();
  }

  @Override
  public List<String> accounting(String letter) {
    return accounting.stream()
        .filter(it -> it.contains(";" + letter + ";" + ReplayContract.JOB + ".vm;"))
        .map(it -> it.replace("_pbs_project_default", project))
        .toList();
  }

  @Override
  public void says(String program, Said said) {
    Exchange exchange =
        switch (said) {
          case TAKEN -> first("qsub -N h1 -h");
          case NO_QUEUE -> first("qsub -q nosuchq");
          case UNREACHABLE -> first("qsub -q workq@nosuchserver");
          case DONE -> first(program + options(program) + " 45", 0);
          case GONE -> first(program + " 45", 35);
          case NOT_ALLOWED -> first(program + " ", 159);
        };
    answers.put(program, exchange.answer());
  }

  private static String options(String program) {
    return switch (program) {
      case "qhold" -> " -h u";
      case "qalter" -> " -l walltime=200 -N renamed -p 10";
      default -> "";
    };
  }

  /** What the exchange leaves out of the job is as it was before. */
  @Override
  public void queue(OutsideState state) {
    String letter =
        switch (state) {
          case WAITING -> "Q";
          case HELD -> "H";
          case RUNNING -> "R";
          case SUSPENDED -> "S";
          case ENDING -> "E";
          case ENDED -> "F";
        };
    String question = state == OutsideState.ENDED ? "qstat -xf 45" : "qstat -f 45";
    Map<String, String> fields = new LinkedHashMap<>(shown.isEmpty() ? whole() : shown);
    fields.putAll(
        fields(
            all(question).stream()
                .filter(it -> it.out().contains("job_state = " + letter + "\n"))
                .findFirst()
                .orElseThrow()
                .out()));
    shown = fields;
    queue = Optional.empty();
  }

  /**
   * The history has the job as it was recorded, but for its status, and the queue has it no more.
   */
  void endedAs(int status) {
    queue(OutsideState.ENDED);
    shown.put("Exit_status", Integer.toString(status));
    listsHideIt();
  }

  private Map<String, String> whole() {
    return all("qstat -f 45").stream()
        .filter(it -> !it.command().contains("|"))
        .map(it -> fields(it.out()))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void queueWithoutJobs() {
    shown = Map.of();
    queue = Optional.empty();
  }

  @Override
  public void listsHideIt() {
    hidden = true;
  }

  @Override
  public void queueSilent() {
    queue = Optional.of(first("qstat @nosuchserver").answer());
  }

  @Override
  public long asked(String program) {
    return asked.stream().filter(program::equals).count();
  }

  /** Fields of a job as {@code qstat -f} writes it. */
  private static Map<String, String> fields(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    String last = "";
    for (String line : text.lines().toList()) {
      int equals = line.indexOf(" = ");
      if (line.startsWith("Job Id: ")) {
        fields.put("", line.substring(8));
      } else if (line.startsWith("\t")) {
        fields.merge(last, line.substring(1), String::concat);
      } else if (line.startsWith("    ") && equals > 0) {
        last = line.substring(4, equals);
        fields.put(last, line.substring(equals + 3));
      }
    }
    return fields;
  }

  private OutsideAnswer shown(Map<String, String> fields) {
    return new OutsideAnswer(ProcessEnding.EXITED, 0, json(fields), "", Duration.ofMillis(20));
  }

  private String json(Map<String, String> shown) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("timestamp", 1_795_188_956);
    root.put("pbs_version", "23.06.06");
    root.put("pbs_server", "vm");
    if (!shown.isEmpty()) {
      Map<String, Object> job = new LinkedHashMap<>();
      shown.forEach((name, value) -> put(job, name, value));
      job.put("project", project);
      root.put("Jobs", Map.of(shown.get(""), job));
    }
    try {
      return new ObjectMapper().writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> job, String name, String value) {
    int dot = name.indexOf('.');
    if (name.equals("Variable_List")) {
      for (String variable : value.split(",")) {
        int equals = variable.indexOf('=');
        put(job, name + "." + variable.substring(0, equals), variable.substring(equals + 1));
      }
    } else if (dot > 0) {
      ((Map<String, Object>)
              job.computeIfAbsent(name.substring(0, dot), it -> new LinkedHashMap<>()))
          .put(name.substring(dot + 1), value);
    } else if (!name.isEmpty()) {
      job.put(name, value);
    }
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) {
    List<String> words = new ArrayList<>(command.words());
    words.set(0, command.program());
    String line = String.join(" ", words);
    asked.add(command.program());
    if (command.program().equals("qsub")) {
      project = words.get(words.indexOf("-P") + 1);
    }
    for (Map.Entry<String, OutsideAnswer> answer : answers.entrySet()) {
      if (line.startsWith(answer.getKey())) {
        return answer.getValue();
      }
    }
    if (line.matches("qstat (-x )?-f -F json @vm")) {
      return queue.orElseGet(() -> shown(hidden ? Map.of() : shown));
    }
    if (line.matches("qstat (-x )?-f -F json " + ReplayContract.JOB + ".vm")) {
      return queue.orElseGet(
          () -> shown.isEmpty() ? first("qstat -x 45", UNKNOWN).answer() : shown(shown));
    }
    throw new IllegalArgumentException(line + ": was not recorded");
  }
}
