package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Types the lines of a recording into a shell and compares. Jobs have other numbers here than in
 * the recording, and users and the server other names: these are translated on the way in, and the
 * recorded texts before the comparison.
 */
final class Replay {

  /** How long to wait for what a query shows only after a while: a job starts, runs and ends. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  /** How long to wait for an equal answer before a reason is accepted for the difference. */
  private static final long EXCUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.\\[=:-])(\\d+)(\\.vm)?(?![\\w\\[=:])");

  private static final String RECORDED_HOME = "/var/spool/pbs/";
  private static final int JOB_DIGITS = 3;
  private static final Pattern ID = Pattern.compile("\\b(\\d+)(\\[\\d*])?\\.vm\\b");

  /** An array, or some of its subjobs, in apostrophes. */
  private static final Pattern OF_ARRAY = Pattern.compile("(?<=')\\d+(?=\\[[\\d-]*]')");

  private static final Pattern OF_RESERVATION = Pattern.compile("(?<=reserve_job = )\\d+\\b");
  private static final Pattern OF_OUTPUT = Pattern.compile("(?<=\\.[eo])\\d+\\b");

  /** The job in a row of {@code pbsnodes -Sj}, which has one number there. */
  private static final Pattern ON_NODE = Pattern.compile("(?m)(?<= \\d/\\d )\\d+$");

  private static final Pattern DEPENDENCY =
      Pattern.compile("(?<=-W depend=[a-z]{2,12}:|--job |-Wqmove=)\\d+\\b");
  private static final Pattern CREATED =
      Pattern.compile("qmgr -c [\"']c(?:reate)? (\\w+ [\\w.$]+)");
  private static final Pattern BY_NAME = Pattern.compile("Undefined attribute (\\w+): \\w");
  private static final Pattern SUBMITTED = Pattern.compile("(\\d+)(?:\\[])?\\.\\S+\n");

  private Site site;
  private final Map<String, Account> users;
  private final Path work;
  private final String server;
  private final Reasons inapplicable = Reasons.read("/golden/not-applicable.txt");
  private final Reasons refused = Reasons.read("/golden/refused.txt");
  private final Reasons different = Reasons.read("/golden/different.txt");
  private final OneSidedAttributes oneSided = OneSidedAttributes.read("/golden/one-sided.txt");
  private final PlainAnswer plain;

  /** Reservations of the recording that is played; null when it has none. */
  private RecordedReservations reservations;

  /** What alone may differ in the line that is compared; null where all counts. */
  private Pattern leftOut;

  /** How the last answer differs in all. */
  private String whole = "";

  private final LongerJobs longer = new LongerJobs();
  private final Map<String, String> numbers = new LinkedHashMap<>();
  private final Map<String, Integer> typed = new HashMap<>();
  private final List<String> unlisted = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private final ReplayShares shares = new ReplayShares();
  private int equal;
  private int skipped;
  private int refusals;

  Replay(Site site, Map<String, Account> users, Path work, String server) throws IOException {
    this.site = site;
    this.users = users;
    this.work = work;
    this.server = server;
    this.plain = new PlainAnswer(users.values(), oneSided);
  }

  /** Types the following lines at another installation. */
  void moveTo(Site other) {
    site = other;
  }

  /** The next recordings have these reservations. */
  void with(RecordedReservations theirs) {
    reservations = theirs;
  }

  /** Preparation before a recorded line is typed or skipped. */
  interface Before {
    void line(String line) throws IOException, InterruptedException;
  }

  void play(Recording recording) throws IOException, InterruptedException {
    play(recording, line -> {});
  }

  void play(Recording recording, Before before) throws IOException, InterruptedException {
    for (Entry entry : recording.entries()) {
      before.line(entry.line());
      String name = recording.name() + ": " + entry.line();
      if (inapplicable.why(name).isPresent() || unknownJob(entry)) {
        inapplicable.needed(name);
        skipped++;
        continue;
      }
      if (refused.why(name).isPresent()) {
        refused.needed(name);
        refusal(entry, name);
        continue;
      }
      name += occurrence(name);
      boolean excused = different.why(name).isPresent();
      leftOut = different.leftOut(name).orElse(null);
      String difference =
          compare(entry, excused && leftOut == null ? EXCUSED_NANOS : PATIENCE_NANOS);
      if (leftOut != null && difference.isEmpty()) {
        difference = whole; // so that it is not counted as equal
      } else if (leftOut != null) {
        excused = false; // the rest of the line is to be as recorded
      }
      shares.count(recording.name(), difference.isEmpty());
      if (difference.isEmpty()) {
        equal++;
        different.needless(name);
      } else {
        different.needed(name);
        (excused ? listed : unlisted).add(name + "\n" + difference);
      }
    }
  }

  /** Expects that an attribute of the line is refused by name, whatever PBS answered. */
  private void refusal(Entry entry, String name) throws IOException, InterruptedException {
    Shell.Answer answer = type(entry.user(), here(entry.line()));
    Matcher named = BY_NAME.matcher(answer.err());
    if (answer.status() != 0 && named.find() && entry.line().contains(named.group(1))) {
      refusals++;
    } else {
      unlisted.add(name + "\n  is to be refused by name: " + answer);
    }
  }

  /** Suffix with the number of the occurrence, for a line that the recording has more than once. */
  private String occurrence(String name) {
    int times = typed.merge(name, 1, Integer::sum);
    return times == 1 ? "" : " (" + times + ")";
  }

  /** Whether a line is about a job whose submission does not apply here. */
  private boolean unknownJob(Entry entry) {
    if (!namesJobs(entry.line())) {
      return false;
    }
    boolean known = false;
    boolean unknown = false;
    Matcher number = NUMBER.matcher(operands(entry.line()));
    while (number.find()) {
      known |= numbers.containsKey(number.group(1));
      unknown |= lost(number.group(1));
    }
    return unknown && !known;
  }

  private static boolean namesJobs(String line) {
    return line.matches(
        "(qstat|qdel|qhold|qrls|qalter|qmove|qrerun|qsig|qorder|qrun|qmsg|tracejob) .*");
  }

  /**
   * Whether the recording had a job of this number that does not exist here; larger numbers never
   * were jobs.
   */
  private boolean lost(String number) {
    return number.length() <= JOB_DIGITS && !numbers.containsKey(number);
  }

  /** The part of a line that may name jobs: without pipes and option values. */
  private static String operands(String line) {
    return line.replaceAll("\\|.*", "").replaceAll("-[lNpjhaAqoeWvH] *\\S+", "");
  }

  /** Local job numbers by the recorded ones. */
  Map<String, String> numbers() {
    return numbers;
  }

  LongerJobs longer() {
    return longer;
  }

  /** Local id of a recorded job. */
  String id(String number) {
    return numbers.get(number) + "." + server;
  }

  private String compare(Entry entry, long patienceNanos) throws IOException, InterruptedException {
    String line = here(entry.line());
    // The recorded user typed slowly: a job that was told to end had ended before the next line.
    boolean query =
        entry.line().matches("(qstat|qselect|pbsnodes|pbs_rstat) .*|qstat|pbs_rstat")
            || entry.err().contains("Job has finished")
            // While the run is still ending, the repeated request has no further effect.
            || (entry.line().startsWith("qrerun") && entry.err().contains("invalid for state"));
    int taken = oneSided.taken();
    AtomicReference<String> difference = new AtomicReference<>();
    Polling.within(
        Duration.ofNanos(query ? patienceNanos : 0),
        () -> {
          oneSided.countFrom(taken);
          difference.set(look(entry, line));
          return difference.get().isEmpty() || !query;
        });
    return difference.get();
  }

  private String look(Entry entry, String line) throws IOException, InterruptedException {
    Shell.Answer answer = type(entry.user(), line);
    learn(entry, answer);
    undo(entry, answer);
    usage(entry, answer);
    return difference(entry, answer);
  }

  /** The home of the recorded server stands for that of this one. */
  private String folders(String text) {
    return text.replace(site.home().root() + "/", RECORDED_HOME);
  }

  /** Compares the usage line, since the rest of the help differs. */
  private void usage(Entry entry, Shell.Answer answer) {
    if (!UsageBlock.wanted(entry.line())) {
      return;
    }
    String usage = plain.of(UsageBlock.of(entry)).strip();
    if (!plain.of(answer.out()).contains(usage)) {
      unlisted.add(entry.line() + "\n  has not this usage in its help:\n" + indent(usage));
    }
  }

  private Shell.Answer type(String user, String line) throws IOException, InterruptedException {
    if (!users.containsKey(user)) {
      return site.run("cd " + work + "; " + line);
    }
    String name = users.get(user).name();
    // A reservation has the mailbox among its variables; the recorded shell was one of a login.
    String mail = line.contains("pbs_rsub ") ? "MAIL=/var/mail/" + name + " " : "";
    return site.run(users.get(user), work, mail + line);
  }

  /** Records the local number of a submitted job. */
  private void learn(Entry entry, Shell.Answer answer) {
    Matcher there = SUBMITTED.matcher(entry.out());
    Matcher here = SUBMITTED.matcher(answer.out());
    if (entry.line().startsWith("qsub") && there.matches() && here.matches()) {
      numbers.put(there.group(1), here.group(1));
      longer.submitted(there.group(1), entry.line());
    }
    if (reservations != null) {
      reservations.learn(entry, answer);
    }
  }

  /** Deletes a job or object that the recording refused, because it would disturb later lines. */
  private void undo(Entry entry, Shell.Answer answer) throws IOException, InterruptedException {
    Matcher made = CREATED.matcher(entry.line());
    if (made.lookingAt() && entry.exit() != 0 && answer.status() == 0) {
      site.run("qmgr -c 'd " + made.group(1) + "'").must();
    }
    Matcher here = SUBMITTED.matcher(answer.out());
    if (entry.line().startsWith("qsub") && entry.exit() != 0 && here.matches()) {
      site.run("qdel " + here.group(1));
    }
    if (reservations != null && entry.exit() != 0 && answer.status() == 0) {
      for (String reservation : reservations.made(answer)) {
        site.run("pbs_rdel " + reservation).must();
      }
    }
  }

  private String here(String line) {
    String wanted = operands(line);
    String translated = line;
    Matcher number = NUMBER.matcher(wanted);
    while (number.find()) {
      String mine = numbers.get(number.group(1));
      if (namesJobs(line) && (mine != null || lost(number.group(1)))) {
        translated =
            translated.replaceAll(
                "(?<![\\w.\\[=:-])" + number.group(1) + "(\\.vm)?(?![\\w\\[=:])",
                mine == null ? "" : "JOB" + mine + "$1");
      }
    }
    if (namesJobs(line)) {
      translated =
          OF_ARRAY.matcher(translated).replaceAll(m -> numbers.getOrDefault(m.group(), m.group()));
    }
    String typed = names(dependencies(LongerJobs.typed(translated.replace("JOB", ""))));
    String here = typed.replace(RECORDED_HOME, site.home().root() + "/");
    return reservations == null ? here : reservations.typed(here);
  }

  private String dependencies(String text) {
    return DEPENDENCY.matcher(text).replaceAll(m -> numbers.getOrDefault(m.group(), m.group()));
  }

  private String names(String text) {
    String named = otherNode(text);
    for (Map.Entry<String, Account> user : users.entrySet()) {
      named = named.replace(user.getKey(), user.getValue().name());
    }
    return host(named);
  }

  private String difference(Entry entry, Shell.Answer answer) {
    StringBuilder difference = new StringBuilder();
    if (answer.status() != entry.exit()) {
      difference
          .append("  exit ")
          .append(answer.status())
          .append(", not ")
          .append(entry.exit())
          .append('\n');
    }
    whole = difference + differences(entry, answer, UnaryOperator.identity());
    return leftOut == null
        ? whole
        : difference + differences(entry, answer, text -> leftOut.matcher(text).replaceAll(""));
  }

  private String differences(Entry entry, Shell.Answer answer, UnaryOperator<String> compared) {
    StringBuilder difference = new StringBuilder();
    Set<String> jobs = jobs(entry.line());
    differ(
        difference,
        "stderr",
        compared.apply(recorded(jobs, entry.err())),
        compared.apply(answered(answer.err())));
    if (!entry.line().startsWith("qsub") || entry.exit() != 0) {
      differ(
          difference,
          "stdout",
          compared.apply(recorded(jobs, entry.out())),
          compared.apply(answered(answer.out())));
    }
    return difference.toString();
  }

  private String answered(String text) {
    String here = folders(text);
    return plain.of(reservations == null ? here : reservations.answered(here));
  }

  private static void differ(StringBuilder to, String stream, String recorded, String here) {
    if (!recorded.equals(here)) {
      to.append("  ").append(stream).append(" recorded:\n").append(indent(recorded));
      to.append("  ").append(stream).append(" here:\n").append(indent(here));
    }
  }

  private static String indent(String text) {
    return text.isEmpty() ? "" : "    " + text.stripTrailing().replace("\n", "\n    ") + "\n";
  }

  /** Recorded job numbers in a line. */
  private Set<String> jobs(String line) {
    Set<String> jobs = new TreeSet<>();
    if (namesJobs(line)) {
      NUMBER.matcher(operands(line)).results().forEach(number -> jobs.add(number.group(1)));
    }
    return jobs;
  }

  /** The recorded text with local numbers and names. */
  private String recorded(Set<String> jobs, String text) {
    String dated = reservations == null ? text : reservations.mine(reservations.recorded(text));
    String translated =
        ID.matcher(dependencies(longer.recorded(jobs, otherNode(dated))))
            .replaceAll(
                m -> {
                  String brackets = m.group(2) == null ? "" : m.group(2);
                  return numbers.getOrDefault(m.group(1), m.group(1)) + brackets + "." + server;
                });
    for (Pattern alone : new Pattern[] {OF_OUTPUT, OF_RESERVATION, ON_NODE}) {
      translated =
          alone.matcher(translated).replaceAll(m -> numbers.getOrDefault(m.group(), m.group()));
    }
    for (Map.Entry<String, Account> user : users.entrySet()) {
      translated = translated.replace(user.getKey(), user.getValue().name());
    }
    return plain.of(host(translated));
  }

  /** Translates the recorded host to this host; its nodes with brackets keep their names. */
  private String host(String text) {
    return text.replaceAll("(?<![\\w-])vm\\b(?![\\[-])", server);
  }

  /** Translates a recorded node of another partition, to which jobs of the queue do not go here. */
  private String otherNode(String text) {
    return reservations != null
        ? text
        : text.replace("-H 'vm[0]'", "-H 'vm[7]'").replace("vm[0]:ncpus=1", "vm[7]:ncpus=1");
  }

  List<String> unlisted() {
    return unlisted;
  }

  /** Differences that have a reason. */
  List<String> listed() {
    return listed;
  }

  /** Lines of the tables that match no recorded line or explain no difference. */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>(different.unused());
    unused.addAll(inapplicable.unused());
    unused.addAll(refused.unused());
    return unused;
  }

  /**
   * Fraction of the applicable lines that equal the recording. A line about an attribute that is
   * refused by name is not applicable.
   */
  double share() {
    return 1.0 * equal / (equal + listed.size() + unlisted.size());
  }

  /** The same of each recording. */
  ReplayShares shares() {
    return shares;
  }

  /** Counts, and the share of what is as recorded in all lines that apply. */
  String summary() {
    return String.format(
        Locale.ROOT,
        "golden: %d lines as recorded, %d different with a reason, %d about attributes that are"
            + " refused by name, %d not applicable, %d different without a reason: as recorded"
            + " %.1f %% of what applies, %.1f %% of all that was typed; %d attributes of one side"
            + " left out",
        equal,
        listed.size(),
        refusals,
        skipped,
        unlisted.size(),
        100 * share(),
        100.0 * equal / (equal + listed.size() + unlisted.size() + refusals),
        oneSided.taken());
  }
}
