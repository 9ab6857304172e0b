package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What a command line of qsub asks for. */
public final class Submission {

  private static final Set<QsubOption> FOR_QSUB_ONLY =
      EnumSet.of(
          QsubOption.TERSE,
          QsubOption.SYNC,
          QsubOption.VERIFY,
          QsubOption.VARIABLE,
          QsubOption.VARIABLES,
          QsubOption.SOFT,
          QsubOption.HARD);

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

  /** How many arguments follow an option of qsub; none for a word that is no such option. */
  public static int argumentsOf(String word) {
    return QsubOption.of(word).map(QsubOption::arguments).orElse(0);
  }

  private void take(QsubOption option, List<String> arguments, boolean softly) {
    if (option == QsubOption.RESOURCES) {
      append(softly ? soft : hard, arguments.get(0));
    } else if (option == QsubOption.QUEUES) {
      append(softly ? softQueues : queues, arguments.get(0));
    } else if (option == QsubOption.VARIABLE && given.containsKey(option)) {
      given.put(option, List.of(given.get(option).get(0) + "," + arguments.get(0)));
    } else {
      given.put(option, List.copyOf(arguments));
    }
  }

  private static void append(StringBuilder list, String more) {
    list.append(list.length() > 0 ? "," : "").append(more);
  }

  private void check() {
    priority();
    advance();
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

  /** -ar: the number of the advance reservation in which the job runs. */
  public OptionalLong advance() {
    String text = text(QsubOption.ADVANCE).orElse("");
    if (text.isEmpty() && !given.containsKey(QsubOption.ADVANCE)) {
      return OptionalLong.empty();
    }
    if (!text.matches("\\d{1,12}")) {
      throw new RequestRefused(
          "qsub: invalid advance reservation id, must be an unsigned integer", 2);
    }
    return OptionalLong.of(Long.parseLong(text));
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

  /** -S, as {@code path[@host],...}. */
  public Optional<String> shell() {
    return text(QsubOption.SHELL);
  }

  public Optional<String> account() {
    return text(QsubOption.ACCOUNT);
  }

  /** -r; empty where nothing was said. */
  public Optional<Boolean> rerun() {
    return text(QsubOption.RERUN).map(QsubOption.RERUN::yes);
  }

  /** -v, as {@code NAME[=VALUE],...}. */
  public Optional<String> variables() {
    return text(QsubOption.VARIABLE);
  }

  /** -V: all of the submitter's variables. */
  public boolean allVariables() {
    return given.containsKey(QsubOption.VARIABLES);
  }

  /** -wd, or the current directory with -cwd; empty for the home directory. */
  public Optional<String> directory(String current) {
    return given.containsKey(QsubOption.DIRECTORY)
        ? Optional.of(current)
        : text(QsubOption.WORKING_DIRECTORY);
  }

  /** -sync y: wait for the job's end. */
  public boolean sync() {
    return text(QsubOption.SYNC).map(QsubOption.SYNC::yes).orElse(false);
  }

  /** -w: e, w, n, p or v. */
  public String verify() {
    return text(QsubOption.VERIFY).orElse("n");
  }

  /** Argument of -a as it was written. */
  public Optional<String> start() {
    return text(QsubOption.START);
  }

  /** The first given option that is parsed but not supported. */
  public Optional<String> unsupported() {
    return List.of(QsubOption.DEADLINE, QsubOption.INPUT).stream()
        .filter(given::containsKey)
        .map(QsubOption::word)
        .findFirst();
  }

  /**
   * The first option that is not among these words, with its dash; -l, -q, -hard and -soft are not
   * counted, as they build lists.
   */
  public Optional<String> otherThan(Set<String> words) {
    return given.keySet().stream()
        .map(QsubOption::word)
        .filter(word -> !words.contains(word))
        .findFirst();
  }

  /** The hard requests of -l as they were written; empty for none. */
  public String hardText() {
    return hard.toString();
  }

  /** The soft requests of -l as they were written; empty for none. */
  public String softText() {
    return soft.toString();
  }

  /** The hard list of -q as it was written; empty for none. */
  public String queuesText() {
    return queues.toString();
  }

  /** The soft list of -q as it was written; empty for none. */
  public String softQueuesText() {
    return softQueues.toString();
  }

  /** -pe. */
  public Optional<EnvironmentRequest> environment() {
    return Optional.ofNullable(given.get(QsubOption.ENVIRONMENT))
        .map(pe -> new EnvironmentRequest(pe.get(0), SlotRanges.of(pe.get(1))));
  }

  /** Name and slots of -pe. */
  public Optional<String> environmentText() {
    return environment().map(EnvironmentRequest::toString);
  }

  /** Whether an option, with its dash, was given. */
  public boolean has(String word) {
    return switch (word) {
      case "-l" -> hard.length() > 0;
      case "-soft -l" -> soft.length() > 0;
      case "-q" -> queues.length() > 0;
      case "-soft -q" -> softQueues.length() > 0;
      default -> QsubOption.of(word).map(given::containsKey).orElse(false);
    };
  }

  /** A copy with this start time (-a), in seconds since 1970. */
  public Submission startingAt(long seconds) {
    Submission copy = changedBy(new Submission());
    copy.given.put(QsubOption.START, List.of("@" + seconds));
    return copy;
  }

  /**
   * Combines the options of a script's directives, which this is, with those of the command line,
   * which win.
   */
  public Submission under(Submission typed) {
    Submission both = new Submission();
    both.given.putAll(given);
    both.given.putAll(typed.given);
    both.command.addAll(typed.command);
    append(both.hard, hard, typed.hard);
    append(both.soft, soft, typed.soft);
    append(both.queues, queues, typed.queues);
    append(both.softQueues, softQueues, typed.softQueues);
    return both;
  }

  private static void append(StringBuilder to, CharSequence one, CharSequence other) {
    if (one.length() > 0) {
      append(to, one.toString());
    }
    if (other.length() > 0) {
      append(to, other.toString());
    }
  }

  /** A copy without -p. */
  public Submission withoutPriority() {
    Submission copy = changedBy(new Submission());
    copy.given.remove(QsubOption.PRIORITY);
    return copy;
  }

  /** A copy in which the options of another one override those of this one (qalter). */
  public Submission changedBy(Submission change) {
    Submission copy = new Submission();
    copy.given.putAll(given);
    if (change.given.containsKey(QsubOption.WORKING_DIRECTORY)) {
      copy.given.remove(QsubOption.DIRECTORY);
    }
    copy.given.putAll(change.given);
    copy.command.addAll(command);
    copy.hard.append(change.hard.length() > 0 ? change.hard : hard);
    copy.soft.append(change.soft.length() > 0 ? change.soft : soft);
    copy.queues.append(change.queues.length() > 0 ? change.queues : queues);
    copy.softQueues.append(change.softQueues.length() > 0 ? change.softQueues : softQueues);
    return copy;
  }

  /**
   * The options that matter after the submission, word by word; parsing them gives the same
   * request. Options that only qsub itself obeys, and variables, are left out.
   */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    given.forEach(
        (option, arguments) -> {
          if (!FOR_QSUB_ONLY.contains(option)) {
            words.add(option.word());
            words.addAll(arguments);
          }
        });
    add(words, "-hard", "-l", hard);
    add(words, "-hard", "-q", queues);
    add(words, "-soft", "-l", soft);
    add(words, "-soft", "-q", softQueues);
    return words;
  }

  private static void add(List<String> words, String hardness, String option, CharSequence list) {
    if (list.length() > 0) {
      words.addAll(List.of(hardness, option, list.toString()));
    }
  }

  /**
   * Category of the owner's jobs with this request, as a text: equal for jobs that can be placed in
   * the same places.
   */
  public String category(String owner) {
    List<String> words = new ArrayList<>(List.of(owner, project()));
    add(words, "-hard", "-l", sorted(hard));
    add(words, "-hard", "-q", sorted(queues));
    add(words, "-soft", "-l", sorted(soft));
    add(words, "-soft", "-q", sorted(softQueues));
    words.addAll(given.getOrDefault(QsubOption.ENVIRONMENT, List.of()));
    words.add(immediate() ? "now" : "");
    words.add(advance().isPresent() ? "-ar " + advance().getAsLong() : "");
    return String.join(" ", words).strip();
  }

  private static String sorted(CharSequence list) {
    return java.util.Arrays.stream(list.toString().split(","))
        .sorted()
        .collect(java.util.stream.Collectors.joining(","));
  }

  /** The script or program, and its arguments. */
  public List<String> command() {
    return List.copyOf(command);
  }

  /**
   * The resource requests of the job.
   *
   * @throws RequestRefused when it requests what does not exist or cannot be requested so
   */
  public Needs needs(Complexes complexes) {
    List<AttributeRequest> softly = AttributeRequest.list(soft.toString(), complexes);
    for (AttributeRequest request : softly) {
      if (request.complex().consumable()) {
        throw new RequestRefused(
            "denied: soft requests on consumables like \""
                + request.complex().name()
                + "\" are not supported");
      }
    }
    List<AttributeRequest> needed = AttributeRequest.list(hard.toString(), complexes);
    for (AttributeRequest request : needed) {
      if (request.complex().consumable() && request.amount() < 0) {
        throw new RequestRefused(
            "attribute \""
                + request.complex().name()
                + "\" is consumable but has a negative value");
      }
    }
    return new Needs(
        needed,
        softly,
        QueueRequest.list(queues.toString()),
        QueueRequest.list(softQueues.toString()),
        environment());
  }
}
