package io.millrace.schedulers.dialects.gridengine.request;

import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a command line of qsub asks for. */
public final class Submission {

  private static final int LEAST_PRIORITY = -1023;
  private static final int HIGHEST_PRIORITY = 1024;

  private final Map<QsubOption, List<String>> given = new EnumMap<>(QsubOption.class);
  private final StringBuilder hard = new StringBuilder();
  private final StringBuilder soft = new StringBuilder();
  private final StringBuilder queues = new StringBuilder();
  private final StringBuilder softQueues = new StringBuilder();
  private final List<String> command = new ArrayList<>();

  private Submission() {}

  /**
   * Reads the words after qsub. Later options win over earlier ones, so those of a script's
   * directives come first.
   *
   * @throws RequestRefused with qsub's words when they are wrong
   */
  public static Submission of(List<String> words) {
    Submission submission = new Submission();
    boolean softly = false;
    int i = 0;
    while (i < words.size() && words.get(i).startsWith("-")) {
      String word = words.get(i++);
      QsubOption option =
          QsubOption.of(word)
              .orElseThrow(
                  () -> new RequestRefused("qsub: invalid option argument \"" + word + "\"", 2));
      if (i + option.arguments() > words.size()) {
        throw new RequestRefused("qsub: ERROR! " + word + " option must have argument", 7);
      }
      List<String> arguments = words.subList(i, i + option.arguments());
      i += option.arguments();
      softly = option == QsubOption.SOFT || (softly && option != QsubOption.HARD);
      submission.take(option, arguments, softly);
    }
    submission.command.addAll(words.subList(i, words.size()));
    submission.check();
    return submission;
  }

  private void take(QsubOption option, List<String> arguments, boolean softly) {
    if (option == QsubOption.RESOURCES) {
      append(softly ? soft : hard, arguments.get(0));
    } else if (option == QsubOption.QUEUES) {
      append(softly ? softQueues : queues, arguments.get(0));
    } else {
      given.put(option, List.copyOf(arguments));
    }
  }

  private static void append(StringBuilder list, String more) {
    list.append(list.length() > 0 ? "," : "").append(more);
  }

  private void check() {
    priority();
    reserve();
    immediate();
    tasks();
    text(QsubOption.JOIN).ifPresent(QsubOption.JOIN::yes);
    text(QsubOption.BINARY).ifPresent(QsubOption.BINARY::yes);
    String name = name();
    if (!name.isEmpty()
        && Character.isDigit(name.charAt(0))
        && given.containsKey(QsubOption.NAME)) {
      throw new RequestRefused(
          "denied: \"" + name + "\" is not a valid object name (cannot start with a digit)");
    }
  }

  private Optional<String> text(QsubOption option) {
    return Optional.ofNullable(given.get(option)).map(arguments -> arguments.get(0));
  }

  /** -N, else the last part of the command's path. */
  public String name() {
    return text(QsubOption.NAME)
        .orElseGet(
            () ->
                command.isEmpty()
                    ? "STDIN"
                    : command.get(0).substring(command.get(0).lastIndexOf('/') + 1));
  }

  public int priority() {
    String text = text(QsubOption.PRIORITY).orElse("0");
    if (text.matches("-?\\d{1,6}")) {
      int priority = Integer.parseInt(text);
      if (priority >= LEAST_PRIORITY && priority <= HIGHEST_PRIORITY) {
        return priority;
      }
    }
    throw new RequestRefused(
        "qsub: invalid priority \"" + text + "\".  Must be an integer from -1023 to 1024", 7);
  }

  public boolean reserve() {
    return text(QsubOption.RESERVE).map(QsubOption.RESERVE::yes).orElse(false);
  }

  public boolean immediate() {
    return text(QsubOption.NOW).map(QsubOption.NOW::yes).orElse(false);
  }

  public boolean held() {
    return given.containsKey(QsubOption.HOLD);
  }

  public boolean terse() {
    return given.containsKey(QsubOption.TERSE);
  }

  public boolean binary() {
    return text(QsubOption.BINARY).map(QsubOption.BINARY::yes).orElse(false);
  }

  /** -j: standard error goes where standard output goes. */
  public boolean joined() {
    return text(QsubOption.JOIN).map(QsubOption.JOIN::yes).orElse(false);
  }

  public Optional<String> output() {
    return text(QsubOption.OUTPUT);
  }

  public Optional<String> errors() {
    return text(QsubOption.ERRORS);
  }

  public String project() {
    return text(QsubOption.PROJECT).orElse("");
  }

  public TaskRange tasks() {
    return text(QsubOption.TASKS).map(TaskRange::of).orElse(TaskRange.SINGLE);
  }

  public boolean array() {
    return given.containsKey(QsubOption.TASKS);
  }

  /** -tc; 0 for any number. */
  public int concurrent() {
    String text = text(QsubOption.CONCURRENT).orElse("0");
    if (!text.matches("\\d{1,7}")) {
      throw new RequestRefused("qsub: invalid option argument \"-tc " + text + "\"", 7);
    }
    return Integer.parseInt(text);
  }

  /** -a as {@code @SECONDS} since 1970, which is what the front end makes of a date; 0 for none. */
  public long earliest_s() {
    String text = text(QsubOption.START).orElse("");
    return text.matches("@\\d{1,12}") ? Long.parseLong(text.substring(1)) : 0;
  }

  /** Numbers and names of jobs that must have ended before. */
  public List<String> after() {
    return text(QsubOption.AFTER).map(list -> List.of(list.split(","))).orElse(List.of());
  }

  /** The script or program, and its arguments. */
  public List<String> command() {
    return List.copyOf(command);
  }

  /**
   * Where it can run.
   *
   * @throws RequestRefused when it requests what does not exist or cannot be requested so
   */
  public Needs needs(Complexes complexes) {
    List<ResourceRequest> softly = ResourceRequest.list(soft.toString(), complexes);
    for (ResourceRequest request : softly) {
      if (request.complex().consumable()) {
        throw new RequestRefused(
            "denied: soft requests on consumables like \""
                + request.complex().name()
                + "\" are not supported");
      }
    }
    Optional<EnvironmentRequest> environment =
        Optional.ofNullable(given.get(QsubOption.ENVIRONMENT))
            .map(pe -> new EnvironmentRequest(pe.get(0), SlotRanges.of(pe.get(1))));
    return new Needs(
        ResourceRequest.list(hard.toString(), complexes),
        softly,
        QueueRequest.list(queues.toString()),
        QueueRequest.list(softQueues.toString()),
        environment);
  }
}
