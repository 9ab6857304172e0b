package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Types the lines of a recording about reservations into a shell and compares. Reservations and
 * jobs have other numbers here than in the recording, windows lie as far ahead of now as they lay
 * ahead of the recorded session, and times of day are not compared, but durations are.
 */
final class ReservationReplay {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How long to wait for an equal answer where a reason for a difference is known. */
  private static final Duration EXCUSED = Duration.ofMillis(300);

  private static final Pattern WINDOW =
      Pattern.compile("(?<=-[RE] )(\\d{4,12})(\\.\\d\\d)?(?= |$)");
  private static final Pattern MADE = Pattern.compile("(?m)^([RSM]?)(\\d+)\\.(\\S+)( [A-Z]+)?$");
  private static final Pattern IN_LINE =
      Pattern.compile("(?<=qmove=|--job |qrls |qdel |qstat )\\d+|(?<=\\b[RSM])\\d+\\b");
  private static final Pattern IN_TEXT =
      Pattern.compile(
          "(?<=\\b[RSM])\\d+\\b|\\b\\d+(?=(\\[\\d*])?\\.vm\\b)|(?<=reserve_job = )\\d+");
  private static final Pattern SHORT_TIME =
      Pattern.compile(
          "(Today|(Sun|Mon|Tue|Wed|Thu|Fri|Sat)( [A-Z][a-z]{2} \\d\\d)?|[A-Z][a-z]{2} \\d\\d"
              + " \\d{4}) \\d\\d:\\d\\d");

  /** Times that are wrong, or mean tomorrow whenever they are typed. */
  private static final Set<String> AS_THEY_ARE = Set.of("9999", "1400", "0101");

  private final Site site;
  private final Map<String, Account> users;
  private final Path work;
  private final String server;
  private final Reasons inapplicable = Reasons.read("/golden/reservations-not-applicable.txt");
  private final Reasons different = Reasons.read("/golden/reservations-different.txt");
  private final PlainAnswer plain;
  private final Map<String, String> numbers = new LinkedHashMap<>();
  private final Map<String, Integer> typed = new HashMap<>();
  private final List<String> unlisted = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private int equal;
  private int skipped;

  ReservationReplay(Site site, Map<String, Account> users, Path work, String server)
      throws IOException {
    this.site = site;
    this.users = users;
    this.work = work;
    this.server = server;
    this.plain = new PlainAnswer(users.values(), OneSidedAttributes.read("/golden/one-sided.txt"));
  }

  /** When the recorded user typed a line. */
  interface Clock {
    LocalDateTime at(String line);
  }

  /** What has to be so before a recorded line is typed. */
  interface Before {
    void line(String line) throws IOException, InterruptedException;
  }

  /**
   * @param fixed whether windows follow from the time at which the session begins here, else from
   *     the time of each line
   */
  void play(Recording recording, boolean fixed, Clock clock, Before before)
      throws IOException, InterruptedException {
    LocalDateTime begin = LocalDateTime.now();
    for (Entry entry : recording.entries()) {
      String name = recording.name() + ": " + entry.line();
      name += occurrence(name);
      if (inapplicable.why(name).isPresent()) {
        inapplicable.needed(name);
        skipped++;
        continue;
      }
      before.line(entry.line());
      LocalDateTime now = fixed ? begin : LocalDateTime.now();
      String line = here(windows(entry.line(), clock.at(entry.line()), now));
      boolean excused = different.why(name).isPresent();
      String difference = compare(entry, line, excused ? EXCUSED : PATIENCE);
      if (difference.isEmpty()) {
        equal++;
        different.needless(name);
      } else {
        different.needed(name);
        (excused ? listed : unlisted).add(name + "\n  typed: " + line + "\n" + difference);
      }
    }
  }

  private String occurrence(String name) {
    int times = typed.merge(name, 1, Integer::sum);
    return times == 1 ? "" : " (" + times + ")";
  }

  /** The line with windows as far ahead as they were. */
  private static String windows(String line, LocalDateTime then, LocalDateTime now) {
    return WINDOW.matcher(line).replaceAll(m -> window(m, then, now));
  }

  private static String window(MatchResult given, LocalDateTime then, LocalDateTime now) {
    String digits = given.group(1);
    String seconds = given.group(2) == null ? "" : given.group(2);
    if (AS_THEY_ARE.contains(digits)) {
      return given.group();
    }
    if (digits.equals("1541")) {
      // Within the minute in which it was typed: it means tomorrow.
      return LocalDateTime.now().format(DateTimeFormatter.ofPattern("HHmm")) + ".59";
    }
    String whole = digits.length() == 4 ? "20261120" + digits : digits;
    String second = seconds.isEmpty() ? "00" : seconds.substring(1);
    LocalDateTime recorded =
        LocalDateTime.parse(whole + second, DateTimeFormatter.ofPattern("yyyyMMddHHmmss"));
    LocalDateTime mine = now.plus(Duration.between(then, recorded));
    String form =
        (digits.length() == 4 ? "HHmm" : "yyyyMMddHHmm") + (seconds.isEmpty() ? "" : ".ss");
    return mine.format(DateTimeFormatter.ofPattern(form));
  }

  private String here(String line) {
    boolean named = line.matches("(PBS_TZID=\\S+ )?(pbs_r|q(sub|stat|move|rls|del)).*");
    return names(named ? numbered(IN_LINE, line) : line);
  }

  private String numbered(Pattern where, String text) {
    return where.matcher(text).replaceAll(m -> numbers.getOrDefault(m.group(), m.group()));
  }

  private String names(String text) {
    String named = text;
    for (Map.Entry<String, Account> user : users.entrySet()) {
      named = named.replace(user.getKey(), user.getValue().name());
    }
    return named.replaceAll("(?<![\\w-])vm\\b(?![\\[-])", server);
  }

  private String compare(Entry entry, String line, Duration patience)
      throws IOException, InterruptedException {
    boolean query = line.matches("(pbs_rstat|qstat|pbsnodes)\\b.*");
    AtomicReference<String> difference = new AtomicReference<>();
    Polling.within(
        query ? patience : Duration.ZERO,
        () -> {
          difference.set(look(entry, line));
          return difference.get().isEmpty() || !query;
        });
    return difference.get();
  }

  private String look(Entry entry, String line) throws IOException, InterruptedException {
    Account account = users.get(entry.user());
    String set =
        account == null
            ? "cd " + work + "; "
            : "export LOGNAME=" + account.name() + " MAIL=/var/mail/" + account.name() + "; ";
    Shell.Answer answer =
        account == null ? site.run(set + line) : site.run(account, work, set + line);
    learn(entry, answer);
    StringBuilder difference = new StringBuilder();
    if (answer.status() != entry.exit()) {
      difference.append("  exit ").append(answer.status()).append(", not ").append(entry.exit());
      difference.append('\n');
    }
    differ(difference, "stderr", shown(entry.err(), true), shown(answer.err(), false));
    differ(difference, "stdout", shown(entry.out(), true), shown(answer.out(), false));
    return difference.toString();
  }

  /** Records the local number of a job or reservation. */
  private void learn(Entry entry, Shell.Answer answer) {
    Matcher there = MADE.matcher(entry.out());
    Matcher here = MADE.matcher(answer.out());
    boolean makes = entry.line().matches("(PBS_TZID=\\S+ )?(qsub|pbs_rsub).*");
    if (makes && there.find() && here.find()) {
      numbers.put(there.group(2), here.group(2));
    }
  }

  private String shown(String text, boolean recorded) {
    String translated = recorded ? names(numbered(IN_TEXT, text)) : text;
    return SHORT_TIME.matcher(plain.of(translated)).replaceAll("TIME");
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
    return unused;
  }

  /** Fraction of the applicable lines that equal the recording. */
  double share() {
    return 1.0 * equal / (equal + listed.size() + unlisted.size());
  }

  String summary() {
    return String.format(
        Locale.ROOT,
        "golden: reservations: %d lines as recorded, %d different with a reason, %d not applicable,"
            + " %d different without a reason: as recorded %.1f %% of what applies",
        equal,
        listed.size(),
        skipped,
        unlisted.size(),
        100 * share());
  }
}
