package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.ask.TaskNumber;
import io.millrace.server.campaigns.ask.TaskOutput;
import io.millrace.server.campaigns.core.PredictorWords;
import io.millrace.server.campaigns.core.pace.CampaignPace;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.rest.CigriDump;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.query.QueryException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** gridstat: shows campaigns, with CiGri's lines. */
final class Gridstat implements Command {

  private static final String LETTERS = "c:CdeEfHj:Jo:Opu:";

  private static final Map<String, Character> WORDS =
      Map.ofEntries(
          Map.entry("campaign", 'c'),
          Map.entry("cinfos", 'C'),
          Map.entry("dump", 'd'),
          Map.entry("events", 'e'),
          Map.entry("stderr", 'E'),
          Map.entry("full", 'f'),
          Map.entry("headerless", 'H'),
          Map.entry("job", 'j'),
          Map.entry("jdl", 'J'),
          Map.entry("offset", 'o'),
          Map.entry("stdout", 'O'),
          Map.entry("pretty", 'p'),
          Map.entry("username", 'u'));

  private static final String USAGE =
      """
      usage: gridstat [-H] [-u USER]
             gridstat [-c] CAMPAIGN_ID [-e] [-f [-o OFFSET]]
             gridstat [-c] CAMPAIGN_ID -J
             gridstat -j CAMPAIGN.JOB|[-c] CAMPAIGN_ID -j JOB [-O|-E|-C]
             gridstat -d [-p] [-o OFFSET]
             gridstat -d [-p] [-c] CAMPAIGN_ID [-j JOB]
             gridstat -d [-p] [-c] CAMPAIGN_ID -e|-f [-o OFFSET]
      """;
  private static final String HEAD =
      "Campaign id Name                User             Submission time     S  Progress\n"
          + "----------- ------------------- ---------------- ------------------- -- --------\n";
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH-mm-ss");
  private static final Map<String, String> LETTER_OF =
      Map.of("cancelled", "C", "terminated", "T", "paused", "P", "in_treatment", "R");
  private static final int PRINTED_AT_ONCE = 64 << 10;
  private static final double S_PER_HOUR = 3_600;
  private static final double PERCENT = 100;
  private static final double MUCH = 1e7;
  private static final int NAME_MAX = 19;
  private static final int USER_MAX = 16;

  static final Syntax SYNTAX = Syntax.of(LETTERS, USAGE);

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(SYNTAX);
  }

  /** The number of a campaign. */
  static long number(Call call, String text) throws Failure {
    if (!text.matches("[0-9]{1,18}")) {
      throw call.failure("'" + text + "' is no number of a campaign", 1);
    }
    return Long.parseLong(text);
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    GetOpt options = WordOptions.of(call, LETTERS, WORDS);
    List<String> ids = options.operands();
    boolean one = options.has('c') || ids.size() == 1;
    if (options.has('j') && !one && !options.has('d') && !options.wrong()) {
      check(call, options);
      return ofAll(call, options);
    }
    if (options.wrong()
        || ids.size() > 1
        || options.has('c') && !ids.isEmpty()
        || !(options.has('d') ? isDump(options, one) : isShown(options, one))) {
      throw call.usage(USAGE);
    }
    check(call, options);
    DoorCall door = new DoorCall(call);
    if (options.has('d')) {
      dump(call, one ? Long.toString(number(call, id(options))) : "", options);
      return 0;
    }
    if (one) {
      String id = id(options);
      // With -H, too: of one there are no headings.
      one(call, door, "/campaigns/" + number(call, id), options);
      return 0;
    }
    StringBuilder out = new StringBuilder(options.has('H') ? "" : HEAD);
    for (Campaign campaign : door.campaigns()) {
      boolean wanted = !options.has('u') || campaign.getOwner().equals(options.argument('u'));
      if (wanted && ShownCampaign.isSeen(call, campaign)) {
        out.append(row(call, campaign));
      }
    }
    call.out(out.toString());
    return 0;
  }

  /** What would be passed over in silence. */
  private static void check(Call call, GetOpt options) throws Failure {
    for (char letter : "cjou".toCharArray()) {
      if (options.options().stream().filter(it -> it.letter() == letter).count() > 1) {
        throw call.failure("-" + letter + " may be given once", 2);
      }
    }
    List<Character> wanted = Stream.of('O', 'E', 'C').filter(options::has).toList();
    if (wanted.size() > 1) {
      throw call.failure("one of -O, -E and -C may be given", 2);
    }
    if (options.has('J') && (options.has('e') || options.has('f'))) {
      throw call.failure("-J is given without -e and -f", 2);
    }
    if (options.has('j') && (options.has('u') || options.has('H'))) {
      throw call.failure("-j is given without -u and -H", 2);
    }
  }

  private static String id(GetOpt options) {
    return options.has('c') ? options.argument('c') : options.operands().get(0);
  }

  /** Whether the options say what of a campaign, or of all, is shown. */
  private static boolean isShown(GetOpt options, boolean one) {
    boolean parts = options.has('e') || options.has('f') || options.has('J');
    boolean job = options.has('j');
    boolean offset = options.has('o');
    boolean ofJob = options.has('O') || options.has('E') || options.has('C');
    if (options.has('p') || offset && !options.has('f') || ofJob && !job) {
      return false;
    }
    return one ? !(job && parts) : !job && !parts;
  }

  /** The same of what is shown as JSON. */
  private static boolean isDump(GetOpt options, boolean one) {
    long parts = Stream.of('e', 'f', 'j').filter(options::has).count();
    boolean others = Stream.of('J', 'u', 'H', 'O', 'E', 'C').anyMatch(options::has);
    boolean list = !one || options.has('e') || options.has('f');
    return !others && parts <= (one ? 1 : 0) && (list || !options.has('o'));
  }

  /** What /cigri would answer. */
  private static void dump(Call call, String id, GetOpt options)
      throws Failure, InterruptedException {
    Map<String, String> query = new HashMap<>();
    if (options.has('p')) {
      query.put("pretty", "");
    }
    if (options.has('o')) {
      query.put("offset", Integer.toString(offset(call, options)));
    }
    Map<String, String> variables = new HashMap<>(Map.of("id", id));
    CigriDump dump = id.isEmpty() ? CigriDump.CAMPAIGNS : CigriDump.CAMPAIGN;
    if (options.has('e')) {
      dump = CigriDump.EVENTS;
    } else if (options.has('f')) {
      dump = CigriDump.JOBS;
    } else if (options.has('j')) {
      dump = CigriDump.JOB;
      variables.put("job", options.argument('j'));
    }
    call.out(dump.text(call, variables, query));
  }

  private static int offset(Call call, GetOpt options) throws Failure {
    String text = options.argument('o');
    if (!text.matches("[0-9]{1,6}|1000000")) {
      throw call.failure("-o: '" + text + "' is no number from 0 to 1000000", 1);
    }
    return Integer.parseInt(text);
  }

  private static String cut(String text, int most) {
    return text.length() > most ? text.substring(0, most) : text;
  }

  private static String time(Call call, Campaign campaign) {
    return TIME.format(Instant.ofEpochMilli(campaign.getSubmittedMs()).atZone(call.zone()));
  }

  private static String progress(Campaign campaign) {
    long percent = 100L * campaign.getDone() / campaign.getTasks();
    return campaign.getDone() + "/" + campaign.getTasks() + " (" + percent + "%)";
  }

  private static String row(Call call, Campaign campaign) {
    String letter = LETTER_OF.get(ShownCampaign.state(campaign));
    return String.format(
        Locale.ROOT,
        "%-11d %-19s %-16s %-19s %s %s%n",
        campaign.getId(),
        cut(campaign.getName(), NAME_MAX),
        cut(campaign.getOwner(), USER_MAX),
        time(call, campaign),
        letter + (campaign.getOpenEvents() > 0 ? "e" : " "),
        progress(campaign));
  }

  private static void description(Call call, DoorCall door, Campaign campaign)
      throws Failure, InterruptedException {
    if (!ShownCampaign.isSeenInFull(call, campaign)) {
      throw call.failure("the description of campaign " + campaign.getId() + " is not yours", 1);
    }
    ShownCampaign.Description text = ShownCampaign.Description.of(door, campaign.getId());
    // A million lines are not held until the end.
    call.invocation().streaming();
    try (Writer out = new BufferedWriter(new Printed(call), PRINTED_AT_ONCE)) {
      text.write(true, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Printed extends Writer {
    private final Call call;

    Printed(Call call) {
      this.call = call;
    }

    @Override
    public void write(char[] text, int from, int length) {
      call.out(new String(text, from, length));
    }

    @Override
    public void flush() {
      // Each piece was sent when it was written.
    }

    @Override
    public void close() {
      // The command goes on.
    }
  }

  /** A job by its number among those of all campaigns. */
  private static int ofAll(Call call, GetOpt options)
      throws Failure, QueryException, InterruptedException {
    TaskNumber number = TaskNumber.parse(options.argument('j')).orElse(null);
    if (number == null || !isShown(options, true)) {
      throw call.usage(USAGE);
    }
    String path = "/campaigns/" + number.campaign();
    DoorCall door = new DoorCall(call);
    Campaign campaign = door.list(path, Campaign.class).get(0);
    if (!ShownCampaign.isSeen(call, campaign)) {
      throw call.failure("there is no campaign " + campaign.getId(), 1);
    }
    job(call, door, campaign, Integer.toString(number.task()), options);
    return 0;
  }

  private static void job(Call call, DoorCall door, Campaign campaign, String job, GetOpt options)
      throws Failure, QueryException, InterruptedException {
    String path = "/campaigns/" + campaign.getId() + "/tasks/" + job;
    boolean full = ShownCampaign.isSeenInFull(call, campaign);
    if (!options.has('O') && !options.has('E') && !options.has('C')) {
      call.out(door.text(path + (full ? "" : "/brief")));
      return;
    }
    if (!full) {
      throw call.failure("job " + job + " of campaign " + campaign.getId() + " is not yours", 1);
    }
    ShownTask task = door.list(path + "/1", ShownTask.class).stream().findFirst().orElse(null);
    if (task == null) {
      throw call.failure("there is no job " + job + " of campaign " + campaign.getId(), 1);
    }
    if (options.has('C')) {
      StringBuilder out = new StringBuilder();
      TaskOutput.attributes(call, task)
          .forEach(it -> out.append(it.fullName()).append(": ").append(it.value()).append('\n'));
      call.out(out.toString());
      return;
    }
    call.out(TaskOutput.text(call, task, options.has('E')));
  }

  private static void append(StringBuilder out, CampaignPace pace) {
    out.append("  Stats:\n");
    stat(out, "average_jobs_duration", pace.meanS(), " s");
    stat(out, "stddev_jobs_duration", pace.spreadS(), " s");
    stat(out, "jobs_throughput", pace.perS() * S_PER_HOUR, " jobs/h");
    stat(out, "remaining_time", pace.leftS() / S_PER_HOUR, " hours");
    stat(out, "remaining_time_error", pace.leftErrorS() / S_PER_HOUR, " hours");
    stat(out, "failures_rate", pace.failures() * PERCENT, " %");
    stat(out, "resubmit_rate", pace.again() * PERCENT, " %");
    stat(out, "resources_per_job", pace.processors(), "");
  }

  /** A number with a digit behind the point; too great ones are unknown. */
  private static void stat(StringBuilder out, String name, double value, String unit) {
    String text = value > MUCH ? "~" : String.format(Locale.ROOT, "%.1f", value);
    out.append("    ").append(name).append(": ").append(text).append(unit).append('\n');
  }

  private static void one(Call call, DoorCall door, String path, GetOpt options)
      throws Failure, QueryException, InterruptedException {
    Campaign campaign = door.list(path, Campaign.class).get(0);
    if (!ShownCampaign.isSeen(call, campaign)) {
      throw call.failure("there is no campaign " + campaign.getId(), 1);
    }
    if (options.has('u') && !campaign.getOwner().equals(options.argument('u'))) {
      return; // as of a list that has only those of one user
    }
    if (options.has('J')) {
      description(call, door, campaign);
      return;
    }
    if (options.has('j')) {
      String job = options.argument('j');
      if (!job.matches("[0-9]{1,9}")) {
        throw call.failure("'" + job + "' is no number of a job", 1);
      }
      job(call, door, campaign, job, options);
      return;
    }
    StringBuilder out = new StringBuilder();
    out.append("Campaign: ").append(campaign.getId());
    out.append("\n  Name: ").append(campaign.getName());
    out.append("\n  User: ").append(campaign.getOwner());
    out.append("\n  Date: ").append(time(call, campaign));
    out.append(campaign.getTest() ? "\n  Type: test" : "");
    out.append("\n  State: ").append(ShownCampaign.state(campaign));
    out.append(campaign.getOpenEvents() > 0 ? " (events)" : "");
    out.append("\n  Progress: ").append(progress(campaign));
    out.append(campaign.getFailed() > 0 ? "\n  Failed: " + campaign.getFailed() : "");
    out.append('\n');
    append(out, CampaignPace.of(campaign, call.site().clock().millis()));
    out.append("  Clusters: \n");
    List<ClusterStop> stops = door.list("/stops", ClusterStop.class);
    campaign.getClusters().forEach(cluster -> append(out, cluster, stops));
    if (options.has('f')) {
      out.append(" Jobs:\n");
      int offset = options.has('o') ? offset(call, options) : 0;
      JobLines.append(call, door, campaign, offset, out);
    }
    if (options.has('e')) {
      List<CampaignEvent> events = door.list(path + "/events", CampaignEvent.class);
      out.append(EventText.of(Gridevents.open(events, false), call.zone()));
    }
    call.out(out.toString());
  }

  private static void append(StringBuilder out, String script, TaskStatus status) {
    if (status != TaskStatus.DONE) {
      String state = status.name().toLowerCase(Locale.ROOT);
      out.append("      ").append(script).append(": ").append(state).append('\n');
    }
  }

  private static void append(StringBuilder out, CampaignCluster cluster, List<ClusterStop> stops) {
    out.append("    ").append(cluster.getName()).append(":\n");
    out.append("      waiting_jobs: ").append(cluster.getWaiting()).append('\n');
    out.append("      running_jobs: ").append(cluster.getRunning()).append('\n');
    out.append("      finished_jobs: ").append(cluster.getDone()).append('\n');
    out.append("      predictor: ").append(PredictorWords.of(cluster)).append('\n');
    if (JobStanding.of(cluster) != JobStanding.BEST_EFFORT) {
      out.append("      type: ").append(JobStanding.shown(cluster)).append('\n');
    }
    append(out, "prologue", cluster.getPrologue());
    append(out, "epilogue", cluster.getEpilogue());
    if (cluster.getReplicas() > 0) {
      out.append("      replicas: ").append(cluster.getReplicas());
      out.append(", ").append(cluster.getReplicasDone()).append(" counted\n");
    }
    if (cluster.getRefusals() > 0) {
      out.append("      refused: ").append(cluster.getRefusal()).append('\n');
    }
    if (cluster.getBlacklist() != 0) {
      out.append("      blacklisted: event ").append(cluster.getBlacklist()).append('\n');
    }
    stops.stream()
        .filter(stop -> stop.getName().equals(cluster.getName()))
        .forEach(stop -> out.append("      blacklisted: ").append(stop.getWhy()).append('\n'));
  }
}
