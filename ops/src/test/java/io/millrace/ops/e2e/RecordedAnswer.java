package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compares an answer with the recorded one, ignoring what differs between any two sessions. */
final class RecordedAnswer {

  /** A job number in a column; its width is kept, so that columns are compared too. */
  private static final Pattern IN_COLUMN = Pattern.compile("(?m)^( *)(\\d+)(?= [01]\\.\\d{5} )");

  private static final Pattern PRIORITY =
      Pattern.compile("(?m)(?<=^ {0,9}\\d{1,9} )[01]\\.\\d{5}(?= )");

  private static final Pattern IN_TEXT =
      Pattern.compile(
          "(?<=job |job-array |task |Job |job_number: {17}|job \"|JB_job_number>|ULNG_value>"
              + "|predecessor_jobs>|predecessor_jobs_req>)\\d+(?![-\\d])");

  /** A reservation in a row of qrstat; its width is kept. */
  private static final Pattern RESERVED =
      Pattern.compile("(?m)^( *)(\\d+)(?= \\S+ +\\S+ +[a-zA-Z]+ +\\d\\d/\\d\\d/\\d{4} )");

  private static final Pattern OF_RESERVATION =
      Pattern.compile(
          "(?m)(?<=dvance reservation |advance_reservation |advance_reservation \"|<id>|^id {29}"
              + "|ar_id: {22})\\d+");

  private static final Pattern ALONE = Pattern.compile("(?m)^\\d+$");

  private static final Pattern IN_LIST =
      Pattern.compile(
          "(?<=^jid_(?:successor|predecessor)_list(?: \\(req\\))?: {1,9}[\\w,]{0,99}|^      "
              + " Predecessor Jobs(?: \\(request\\))?: [\\w, ]{0,99}|^\t[\\d,\t]{0,99})\\b\\d+\\b",
          Pattern.MULTILINE);

  /** A row of what qacct counts; its width is kept. */
  private static final Pattern ACCOUNTED =
      Pattern.compile("(?m)^( *)([1-9]\\d*)(?= +\\d+ +\\d+\\.\\d{3} )");

  /** What such a row counts, which is measured. */
  private static final Pattern COUNTED =
      Pattern.compile("(?m)^( *\\d+)( +\\d+(?: +\\d+\\.\\d{3}){6})$");

  private static final Pattern COLUMN = Pattern.compile(" +[\\d.]+");

  /** What cuts an answer to its last lines. */
  private static final Pattern CUT = Pattern.compile("(?<=^qstat -j .{1,99}) \\| tail -\\d+$");

  private static final Pattern DATE = Pattern.compile("\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d");

  private static final Pattern XML_TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d");

  /** State letters of a starting job in a row of qstat; the next column begins with a date. */
  private static final Pattern BEING_STARTED =
      Pattern.compile("(?m)(?<=^ {0,9}\\d{1,9} [01]\\.\\d{5} .{10} .{12} [dhR]{0,3})t(?= +99/99)");

  /** Usage of a running job in a row of {@code qstat -ext}. */
  private static final Pattern USED =
      Pattern.compile("(?m)(?<= r {5})\\d:\\d\\d:\\d\\d:\\d\\d \\d\\.\\d{5} \\d\\.\\d{5}(?= )");

  private static final String NOT_USED = "NA         NA      NA     ";

  /** Row of the one job, with its priority, that the recorded scheduler had not considered yet. */
  private static final Pattern NOT_LOOKED_AT =
      Pattern.compile("(?m)^( {0,9}\\d{1,9} )[01]\\.\\d{5}( sleep {6}sgeadmin {5}qw .*\n)");

  private final Map<String, Account> users;
  private final String host;
  private final UnaryOperator<String> recordedNumber;
  private Predicate<String> kept = moment -> false;
  private boolean leavesPriorities;
  private final Reasons leftOut = Reasons.read("/golden/gridengine-left-out.txt");

  RecordedAnswer(Map<String, Account> users, String host, UnaryOperator<String> recordedNumber)
      throws IOException {
    this.users = users;
    this.host = host;
    this.recordedNumber = recordedNumber;
  }

  /** Compares these moments that qrstat shows, too. */
  void keep(Predicate<String> moments) {
    kept = moments;
  }

  /** Whether priorities are left out from now on. */
  void leavePriorities(boolean leave) {
    leavesPriorities = leave;
  }

  /** A line of which as much is compared as the recording shows, after what is left out. */
  static String uncut(String line) {
    return CUT.matcher(line).replaceFirst("");
  }

  String difference(Entry entry, Shell.Answer answer) {
    StringBuilder difference = new StringBuilder();
    if (answer.status() != entry.exit()) {
      difference.append("  exit ").append(answer.status()).append(", not ");
      difference.append(entry.exit()).append('\n');
    }
    boolean dated = entry.line().startsWith("qrstat");
    differ(difference, "stderr", plain(entry.err(), dated), answered(entry, answer.err(), dated));
    differ(difference, "stdout", plain(entry.out(), dated), answered(entry, answer.out(), dated));
    return difference.toString();
  }

  private String answered(Entry entry, String text, boolean dated) {
    String all = plain(translated(text), dated);
    if (!CUT.matcher(entry.line()).find()) {
      return all;
    }
    long lines = plain(entry.out(), dated).lines().count();
    return all.lines()
        .skip(Math.max(0, all.lines().count() - lines))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
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

  /** A local answer with the recording's numbers and names. */
  private String translated(String text) {
    String with = text;
    for (Pattern column : new Pattern[] {IN_COLUMN, RESERVED, ACCOUNTED}) {
      with =
          column
              .matcher(with)
              .replaceAll(
                  m ->
                      String.format(
                          "%" + (m.group(1).length() + m.group(2).length()) + "s",
                          recordedNumber.apply(m.group(2))));
    }
    for (Pattern pattern : new Pattern[] {IN_TEXT, ALONE, IN_LIST, OF_RESERVATION}) {
      with = pattern.matcher(with).replaceAll(m -> recordedNumber.apply(m.group()));
    }
    for (Map.Entry<String, Account> user : users.entrySet()) {
      with = with.replace(user.getValue().home().toString(), "/home/" + user.getKey());
      with = with.replace(user.getValue().name(), user.getKey());
    }
    return LengthenedJobs.recorded(with)
        .replaceAll("@" + Pattern.quote(host) + "\\b", "@vm")
        .replace("<MR_host>" + host + "<", "<MR_host>vm<");
  }

  /**
   * Moves that row, without its priority, to the end: here a job has its priority, and its place in
   * the order, as soon as it waits.
   */
  private static String withoutPriority(String table) {
    Matcher row = NOT_LOOKED_AT.matcher(table);
    return row.find() ? row.replaceFirst("") + row.group(1) + "0.00000" + row.group(2) : table;
  }

  private static String some(MatchResult column) {
    return " ".repeat(column.group().length() - 1) + "N";
  }

  /** Removes times, measured loads, and lines that are left out for a reason. */
  private String plain(String text, boolean dated) {
    String without =
        text.lines()
            .filter(line -> leftOut.why(line).isEmpty())
            .map(line -> line + "\n")
            .collect(Collectors.joining());
    UnaryOperator<String> moment = it -> dated && kept.test(it) ? it : it.replaceAll("\\d", "9");
    String undated = DATE.matcher(without).replaceAll(m -> moment.apply(m.group()));
    // A run is shown as running as soon as its program has begun, not only after its host's next
    // report; "t" and "r" have the same width.
    String running = BEING_STARTED.matcher(withoutPriority(undated)).replaceAll("r");
    // Usage is not reported while a job runs.
    if (leavesPriorities) {
      running = PRIORITY.matcher(running).replaceAll("9.99999");
    }
    String counted =
        COUNTED
            .matcher(USED.matcher(running).replaceAll(NOT_USED))
            .replaceAll(
                m -> m.group(1) + COLUMN.matcher(m.group(2)).replaceAll(RecordedAnswer::some));
    return XML_TIME
        .matcher(counted)
        .replaceAll(m -> moment.apply(m.group()))
        .replaceAll("(_time>)[1-9]\\d{9}<", "$1TIME<")
        .replaceAll("[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}", "DATE")
        .replaceAll("(sge_o_path: +|<VA_value>)/\\S+:/\\S+", "$1PATH")
        .replaceAll("(?<=/\\d{1,4} {1,12})\\d+\\.\\d\\d(?= +lx-)", "LOAD")
        // The usage in XML; the recorded shell had TERM and another host name.
        .replaceAll("(?s) *<JAT_scaled_usage_list>.*?</JAT_scaled_usage_list>\\n", "")
        .replaceAll("(?m)^ *<(cpu|mem|io)_usage>.*\\n", "")
        .replaceAll(" *<job_sublist>\\n *<VA_variable>TERM</VA_variable>\\n *</job_sublist>\\n", "")
        .replaceAll("(?<=<VA_value>)(localhost|" + host + ")(?=<)", "HOST")
        .replaceAll("<load(_avg)?>.*</load", "<load$1>LOAD</load")
        .replaceAll("(?m)(?<=^all.q {27,30})\\d\\.\\d\\d", "LOAD")
        .replaceAll("(?m)(?<=^\thl:\\w{1,30}=)[\\d.]+[KMG]?$", "VALUE");
  }
}
