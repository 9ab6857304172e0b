package io.millrace.server.gateway.request;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.UnheldResources;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.operand.HoldLetters;
import io.millrace.server.gateway.operand.PosixDate;
import io.millrace.server.gateway.operand.ShellWords;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options that qsub and qalter share: what is legal, what is refused and how it is said. */
public final class SubmitSyntax {

  public static final String QSUB_LETTERS = "a:A:c:C:e:fhIj:J:k:l:m:M:N:o:p:P:q:r:R:S:u:v:VW:Xz";
  public static final String QALTER_LETTERS = "a:A:c:e:h:j:k:l:m:M:N:o:p:P:r:R:S:u:W:";

  public static final Map<Character, String> REFUSED =
      Map.ofEntries(
          Map.entry('X', "windows are not forwarded"),
          Map.entry('R', "output files are never removed"));

  /** What -u of qsub, with another name, and -u of qalter are refused with. */
  public static final String OWN_NAME = "a job runs as the user who submits it";

  static final String ELIGIBLE_TIME = "eligible_time";
  static final String RESERVE_RUN = "create_resv_from_job";

  private static final Set<String> WORDS_OF_W =
      Set.of(
          "block",
          RESERVE_RUN,
          "cred",
          "depend",
          ELIGIBLE_TIME,
          "group_list",
          "interactive",
          "max_run_subjobs",
          "pwd",
          "release_nodes_on_stageout",
          "resv_start",
          "run_count",
          "sandbox",
          "stagein",
          "stageout",
          "tolerate_node_failures",
          "umask");

  private static final Map<String, String> WITHOUT_EFFECT =
      Map.of(
          RESERVE_RUN,
          "a reservation of a job that runs is made by pbs_rsub --job",
          "resv_start",
          "no reservation is made before the job runs");

  private static final Pattern NAME = Pattern.compile("[-A-Za-z0-9_+.]+");
  private static final int NAME_MAX = 230;
  private static final Pattern ARRAY =
      Pattern.compile("(\\d{1,7})-(\\d{1,7})(?::(\\d{1,7}))?(?:%(\\d{1,7}))?");
  private static final Pattern CHECKPOINT = Pattern.compile("\\s*(?:[nscw]|[cw]=\\d+)");
  private static final Pattern PRIORITY = Pattern.compile("[+-]?\\d{1,4}");
  private static final int PRIORITY_MAX = 1023;
  private static final int PRIORITY_MIN = -1024;

  private final Call call;
  private final String usage;
  private final boolean altering;

  public SubmitSyntax(Call call, String usage, boolean altering) {
    this.call = call;
    this.usage = usage;
    this.altering = altering;
  }

  /**
   * Checks options one by one.
   *
   * @throws Failure for the first illegal one, with the usage text, or for one that is refused
   */
  public JobOptions read(List<GetOpt.GivenOption> options) throws Failure {
    JobOptions jobOptions = new JobOptions();
    for (GetOpt.GivenOption option : options) {
      String value = option.argument() == null ? "" : option.argument();
      read(option.letter(), value, jobOptions);
    }
    return jobOptions;
  }

  private void read(char letter, String value, JobOptions jobOptions) throws Failure {
    check(letter, value);
    if (letter == 'l') {
      readResources(value, jobOptions);
    } else if (letter == 'W') {
      readAttributes(value, jobOptions);
    } else if (letter == 'u') {
      checkUser(value);
    } else if (letter == 'c' && !value.strip().equals("n")) {
      throw call.refused("-c " + value, "there are no checkpoints");
    } else if (REFUSED.containsKey(letter)) {
      throw call.refused("-" + letter, REFUSED.get(letter));
    } else {
      jobOptions.set(letter, value);
    }
  }

  /** Checks -u: the name for this host must be the submitter's own. */
  private void checkUser(String list) throws Failure {
    if (altering || !JobAttributes.forHost(list, call.host()).equals(call.invocation().user())) {
      throw call.refused("-u", OWN_NAME);
    }
  }

  private void check(char letter, String value) throws Failure {
    if (letter == 'N' && value.length() > NAME_MAX) {
      throw call.failure("Job name is too long ", 2);
    }
    boolean legal =
        switch (letter) {
          case 'a' -> PosixDate.parse(value, now()).isPresent();
          case 'c' -> CHECKPOINT.matcher(value).matches();
          case 'h' -> !altering || value.equals("n") || HoldLetters.valid(value);
          case 'j' -> Set.of("oe", "eo", "n").contains(value);
          case 'J' -> legalArray(value);
          case 'N' -> NAME.matcher(value).matches();
          case 'p' -> legalPriority(value);
          case 'r' -> value.equals("y") || value.equals("n");
          case 'o', 'e' -> !value.isBlank();
          case 'S' -> PassedAttributes.isShells(value);
          default -> PassedAttributes.of(letter).map(it -> it.legal(value)).orElse(true);
        };
    if (!legal) {
      throw illegal(letter);
    }
  }

  private ZonedDateTime now() {
    return ZonedDateTime.now(call.clock());
  }

  Failure illegal(char letter) {
    return call.usage(call.name() + ": illegal -" + letter + " value\n" + usage);
  }

  static boolean isJobName(String text) {
    return text.length() <= NAME_MAX && NAME.matcher(text).matches();
  }

  private static boolean legalPriority(String value) {
    if (!PRIORITY.matcher(value).matches()) {
      return false;
    }
    int priority = Integer.parseInt(value);
    return priority >= PRIORITY_MIN && priority <= PRIORITY_MAX;
  }

  private static boolean legalArray(String value) {
    return array(value).isPresent();
  }

  /** {@code first-last[:step][%most]}; empty when it is none. */
  static Optional<ArrayState> array(String value) {
    Matcher match = ARRAY.matcher(value);
    if (!match.matches()) {
      return Optional.empty();
    }
    int first = Integer.parseInt(match.group(1));
    int last = Integer.parseInt(match.group(2));
    int step = match.group(3) == null ? 1 : Integer.parseInt(match.group(3));
    int most = match.group(4) == null ? 0 : Integer.parseInt(match.group(4));
    boolean legal = first < last && last <= JobNumbers.INDEX_MAX && step > 0;
    if (!legal || (match.group(4) != null && most == 0)) {
      return Optional.empty();
    }
    ArrayState state = new ArrayState();
    state.setFirst(first);
    state.setLast(last);
    state.setStep(step);
    state.setMost(most);
    state.setLeft(List.of(new IndexRange(first, first + (last - first) / step * step)));
    state.setWaiting(List.of());
    state.setBegun(List.of());
    state.setRan(List.of());
    return Optional.of(state);
  }

  /** {@code name=value,name=value}; a name alone has an empty value, which no resource takes. */
  private void readResources(String value, JobOptions jobOptions) throws Failure {
    if (value.isEmpty()) {
      return;
    }
    if (!altering && value.equals("--")) {
      // PBS's qsub misses the -- of a command when an option has taken it, and says no more.
      throw call.usage(usage);
    }
    for (String item : ShellWords.splitList(value)) {
      int equals = item.indexOf('=');
      String name = equals < 0 ? item.strip() : item.substring(0, equals).strip();
      if (name.isEmpty()) {
        throw illegal('l');
      }
      Optional<String> instead = UnheldResources.instead(name);
      if (instead.isPresent()) {
        throw call.refused("-l " + name, instead.get());
      }
      jobOptions.resource(name, equals < 0 ? "" : item.substring(equals + 1).strip());
    }
  }

  /** {@code name=value,name=value}; a value goes on to the next name. */
  private void readAttributes(String value, JobOptions jobOptions) throws Failure {
    String word = "";
    StringBuilder text = new StringBuilder();
    for (String item : ShellWords.splitList(value)) {
      int equals = item.indexOf('=');
      if (equals > 0) {
        readAttribute(word, text.toString(), jobOptions);
        word = item.substring(0, equals);
        text = new StringBuilder(item.substring(equals + 1));
      } else if (word.isEmpty() || equals == 0) {
        throw illegal('W');
      } else {
        text.append(',').append(item);
      }
    }
    readAttribute(word, text.toString(), jobOptions);
  }

  /** The option -h of qsub takes no value: it is the user's own hold. */
  private void readNamed(char letter, String value, JobOptions jobOptions) throws Failure {
    boolean submitted = letter == 'h' && !altering;
    if (submitted && !Set.of("u", "n").contains(value)) {
      throw illegal('W');
    }
    if (!submitted || value.equals("u")) {
      read(letter, value, jobOptions);
    }
  }

  private void readAttribute(String word, String value, JobOptions jobOptions) throws Failure {
    if (word.isEmpty()) {
      return;
    }
    Optional<Character> letter = NamesInFull.letter(word);
    if (letter.isPresent()) {
      readNamed(letter.get(), NamesInFull.value(word, value), jobOptions);
      return;
    }
    boolean comment = word.equals(JobAttributes.COMMENT);
    if (NamesInFull.isServers(word) || (comment && !altering)) {
      readOnly(word, jobOptions);
      return;
    }
    if (comment) {
      jobOptions.attribute(word, value);
      return;
    }
    if (!WORDS_OF_W.contains(word)) {
      undefined(jobOptions);
      return;
    }
    if (word.equals("max_run_subjobs")) {
      if (!value.matches("\\d{1,7}") || Integer.parseInt(value) == 0) {
        throw illegal('W');
      }
      jobOptions.attribute(word, value);
      return;
    }
    if (word.equals(ELIGIBLE_TIME)) {
      Optional<Long> seconds = AttributeType.parseSeconds(value);
      jobOptions.attribute(word, Long.toString(seconds.orElseThrow(() -> illegal('W'))));
      return;
    }
    if (word.equals(RESERVE_RUN) && !altering) {
      jobOptions.attribute(word, Boolean.toString(truth(value)));
      return;
    }
    PassedAttributes passed = PassedAttributes.of(word).orElse(null);
    if (passed != null) {
      if (!passed.legal(value)) {
        throw illegal('W');
      }
      jobOptions.attribute(word, value);
      return;
    }
    if (!word.equals("depend")) {
      throw call.refused("-W " + word, WITHOUT_EFFECT.getOrDefault(word, "it has no effect"));
    }
    readDepend(value, jobOptions);
  }

  private boolean truth(String value) throws Failure {
    return AttributeType.BOOLEAN
        .normalise(value)
        .map("True"::equals)
        .orElseThrow(() -> illegal('W'));
  }

  /** qsub submits nothing with an attribute that there is not; qalter says it of each job. */
  private void undefined(JobOptions jobOptions) throws Failure {
    if (!altering) {
      String text = "Error (" + PbsError.UNDEFINED_ATTRIBUTE.code() + ") submitting job";
      throw call.failure(text, PbsError.UNDEFINED_ATTRIBUTE.exitStatus());
    }
    jobOptions.undefined();
  }

  private void readOnly(String name, JobOptions jobOptions) throws Failure {
    String text = PbsError.READ_ONLY_ATTRIBUTE.text(" " + name);
    if (!altering) {
      throw call.failure(text, PbsError.READ_ONLY_ATTRIBUTE.exitStatus());
    }
    jobOptions.readOnly(text);
  }

  /** Of -W eligible_time, milliseconds; null when it was not given. */
  public static Long eligibleMs(JobOptions jobOptions) {
    String seconds = jobOptions.attribute(ELIGIBLE_TIME);
    return seconds == null ? null : Long.valueOf(1000 * Long.parseLong(seconds));
  }

  private void readDepend(String value, JobOptions jobOptions) throws Failure {
    boolean none = altering && value.isEmpty();
    if (!none && !DependSyntax.legal(value, call.site().server())) {
      throw illegal('W');
    }
    String refused = DependSyntax.refused(value).orElse("");
    if (!refused.isEmpty()) {
      throw call.refused("-W depend=" + refused, "each job of a dependency runs for itself");
    }
    if (DependSyntax.namesSubjobs(value)) {
      call.invocation().err("cannot have dependancy on subjob or range\n");
      throw illegal('W');
    }
    jobOptions.attribute("depend", value);
  }
}
