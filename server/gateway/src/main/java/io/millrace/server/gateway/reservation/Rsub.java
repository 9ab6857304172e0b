package io.millrace.server.gateway.reservation;

import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.UnheldResources;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** pbs_rsub: reserves nodes for a time to come. */
final class Rsub implements Command {

  private static final Map<Character, String> REFUSED =
      Map.of(
          'u', "a reservation is made by the user who asks for it",
          'g', "a reservation is made by the group of the user who asks for it");

  private static final String MOVE = "qmove";

  /** How long it may take to confirm one with -W qmove if -I says nothing, as in PBS. */
  private static final long MOVE_PATIENCE_S = 10;

  private static final String IDLE = "delete_idle_time";
  private static final int ILLEGAL = PbsError.ILLEGAL_VALUE.exitStatus();
  private static final String ZONE = "PBS_TZID";
  private static final String ONE_CPU = "1:ncpus=1";

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(ReserveOptions.LETTERS, ReservationSyntax.RSUB).refusing(REFUSED));
  }

  @Override
  public String undone() {
    return "not submitted";
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    ReserveOptions options = ReserveOptions.read(call);
    if (options.has('r') && zone(call).isEmpty()) {
      throw new Failure(
          "pbs_rsub error: a valid PBS_TZID timezone environment variable is required.\n", 2);
    }
    JobIds.JobId moved = moved(call, options);
    if (options.maintenance()) {
      MaintenanceHosts.check(call, options);
    }
    checkValues(call, options);
    refuseAttributes(call, options);
    if (moved != null) {
      return reserveFor(call, options, moved);
    }
    if (options.job() != null) {
      return reserveRun(call, options);
    }
    ReservationSpec spec = spec(call, options);
    if (options.maintenance()) {
      return MaintenanceHosts.reserve(call, options, spec);
    }
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.RESERVATION_UID);
    }
    Long given = options.interactive();
    long seconds = given == null ? 0 : given;
    if (!options.has('p')) {
      return answered(call, new AskedInTurn(call, spec, seconds).ask());
    }
    CommandMeta meta = call.meta();
    Reply reply =
        AwaitedReply.of(
            call,
            shard(call, spec.getPartition()),
            meta,
            new SubmitReservation(meta, spec, seconds, false, false, false),
            seconds);
    return answered(call, reply);
  }

  static String refusal(Reply reply) {
    return reply.getLines().isEmpty()
        ? "Error (" + reply.getCode() + ") submitting reservation"
        : JobList.text(reply);
  }

  private static String zone(Call call) {
    return call.invocation().environment().getOrDefault(ZONE, "");
  }

  /** The job of -W qmove=, which waits; null without it. */
  private static JobIds.JobId moved(Call call, ReserveOptions options)
      throws Failure, QueryException, InterruptedException {
    String text = options.attributes().get(MOVE);
    if (text == null) {
      return null;
    }
    if (options.interactive() != null && options.interactive() >= 0) {
      String negative = "-I <timeout> value must be negative when used with -Wqmove option.";
      throw call.failure(negative, 2);
    }
    JobIds.JobId id =
        JobIds.parse(text, call.site().server())
            .orElseThrow(() -> call.failure("illegally formed job identifier: " + text, 255));
    Job job =
        call.site()
            .queries()
            .job(id.number())
            .filter(it -> it.getStatus() != JobStatus.FINISHED)
            .orElseThrow(() -> new Failure("Job " + id.id() + " does not exist\n", 2));
    if (job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING) {
      throw new Failure("Job not in qmove state\n", 2);
    }
    return id;
  }

  /** For a job that waits: as soon as there is room. The shard of the job decides. */
  private static int reserveFor(Call call, ReserveOptions options, JobIds.JobId job)
      throws Failure, LinkException, QueryException, InterruptedException {
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.RESERVATION_UID);
    }
    int birth =
        call.site()
            .queries()
            .birth(job.number())
            .orElseThrow(() -> call.failure(PbsError.UNKNOWN_JOB));
    ReservationSpec spec = told(call, options);
    Long given = options.interactive();
    long seconds = given == null ? -MOVE_PATIENCE_S : given;
    CommandMeta meta = call.meta();
    ReserveForJob command = new ReserveForJob(meta, job.id(), spec, seconds);
    return answered(call, AwaitedReply.of(call, birth, meta, command, seconds));
  }

  /** Of a job that runs: what the run has, until its end. The shard of the job decides. */
  private static int reserveRun(Call call, ReserveOptions options)
      throws Failure, LinkException, QueryException, InterruptedException {
    Optional<JobIds.JobId> id = JobIds.parse(options.job(), call.site().server());
    if (id.isEmpty() || call.site().queries().job(id.get().number()).isEmpty()) {
      throw call.failure(PbsError.UNKNOWN_JOB);
    }
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.RESERVATION_UID);
    }
    int birth =
        call.site()
            .queries()
            .birth(id.get().number())
            .orElseThrow(() -> call.failure(PbsError.UNKNOWN_JOB));
    ReservationSpec spec = told(call, options);
    return answered(call, call.send(birth, meta -> new ReserveRun(meta, id.get().id(), spec)));
  }

  private static int answered(Call call, Reply reply) throws Failure {
    if (reply.getCode() != 0) {
      throw call.failure(refusal(reply), PbsError.exitStatus(reply.getCode()));
    }
    // Behind it stands the reason, which PBS does not tell.
    reply.getLines().stream().limit(1).forEach(line -> call.out(line + "\n"));
    return 0;
  }

  private static void refuseAttributes(Call call, ReserveOptions options) throws Failure {
    for (String name : options.attributes().keySet()) {
      if (!name.equals(IDLE) && !name.equals(MOVE)) {
        throw call.failure(PbsError.UNDEFINED_ATTRIBUTE);
      }
    }
  }

  /** As PBS's client: what is no value of its option is told with the usage. */
  private static void checkValues(Call call, ReserveOptions options) throws Failure {
    String usage = ReservationSyntax.RSUB;
    if (options.has('N')) {
      ReservationSyntax.checkName(call, options.value('N'), usage);
    }
    if (options.has('m')) {
      ReservationSyntax.checkMailPoints(call, options.value('m'), usage);
    }
    for (char letter : new char[] {'U', 'G', 'H', 'M'}) {
      list(call, options, letter);
    }
    for (char letter : new char[] {'u', 'g'}) {
      if (options.has(letter)) {
        throw call.refused("-" + letter, REFUSED.get(letter));
      }
    }
  }

  /** As PBS refuses them; the others that nothing here could bound are refused as in qsub. */
  private static void refuseResources(Call call, Set<String> names) throws Failure {
    if (names.contains("min_walltime") || names.contains("max_walltime")) {
      throw call.failure(PbsError.NO_SHRINKING_RESERVATION);
    }
    for (String name : names) {
      Optional<String> instead = UnheldResources.instead(name);
      if (instead.isPresent()) {
        throw call.refused("-l " + name, instead.get());
      }
    }
  }

  private static List<String> list(Call call, ReserveOptions options, char letter) throws Failure {
    return options.has(letter)
        ? ReservationSyntax.list(call, letter, options.value(letter), ReservationSyntax.RSUB)
        : List.of();
  }

  private static ReservationSpec spec(Call call, ReserveOptions options)
      throws Failure, LinkException, InterruptedException {
    ReservationSpec spec = told(call, options);
    spec.setPartition(partition(call, options));
    refuseResources(call, options.resources().keySet());
    ParsedRequest first = request(call, options.resources());
    ReservedTime window = window(call, options);
    times(call, options, window, spec);
    Map<String, String> resources = new LinkedHashMap<>(options.resources());
    resources.put("walltime", Times.duration(window.durationMs() / 1000));
    ParsedRequest request = request(call, resources);
    spec.setRequest(request.request());
    spec.setResourceList(shown(first, request));
    return spec;
  }

  /** What the options say of any reservation: its name, its lists, and who hears of it. */
  private static ReservationSpec told(Call call, ReserveOptions options) throws Failure {
    ReservationSpec spec = OtherWords.asked(call);
    spec.setName(options.has('N') ? options.value('N') : "");
    spec.setUsers(list(call, options, 'U'));
    spec.setGroups(list(call, options, 'G'));
    spec.setHosts(list(call, options, 'H'));
    spec.setMailUsers(list(call, options, 'M'));
    spec.setMailPoints(options.has('m') ? options.value('m').strip() : "a");
    spec.setVariables(variables(call));
    String idle = options.attributes().get(IDLE);
    if (idle != null) {
      spec.setDeleteIdleS(
          AttributeType.parseSeconds(idle)
              .orElseThrow(
                  () -> call.failure(PbsError.ILLEGAL_VALUE.text() + " " + IDLE, ILLEGAL)));
    }
    return spec;
  }

  /** The window, and what a rule repeats of it. */
  private static void times(
      Call call, ReserveOptions options, ReservedTime window, ReservationSpec spec) throws Failure {
    List<Long> starts = List.of(window.startMs());
    if (options.has('r')) {
      starts = RecurrenceTexts.starts(call, options.value('r'), zone(call), window);
      spec.setRule(options.value('r'));
    }
    spec.setStartMs(starts.get(0));
    spec.setEndMs(starts.get(0) + window.durationMs());
    spec.setLaterMs(starts.subList(1, starts.size()));
  }

  private static ReservedTime window(Call call, ReserveOptions options) throws Failure {
    String length = options.resources().get("walltime");
    Long durationMs =
        length == null
            ? null
            : AttributeType.parseSeconds(length).map(TimeUnit.SECONDS::toMillis).orElse(0L);
    long nowMs = call.site().clock().millis();
    return ReservedTime.of(options.startMs(), options.endMs(), durationMs, nowMs)
        .orElseThrow(() -> call.failure(PbsError.BAD_TIMES));
  }

  private static String partition(Call call, ReserveOptions options)
      throws Failure, LinkException, InterruptedException {
    String name = options.has('p') ? options.value('p') : Site.DEFAULT_PARTITION;
    if (call.site().find(ObjectKind.PARTITION, name).isEmpty()) {
      throw call.failure("unknown partition: " + name, 2);
    }
    return name;
  }

  static int shard(Call call, String partition) throws LinkException, InterruptedException {
    Optional<ClusterObject> found = call.site().find(ObjectKind.PARTITION, partition);
    return found.flatMap(it -> ClusterView.attribute(it, "shard")).map(Integer::parseInt).orElse(0);
  }

  private static ParsedRequest request(Call call, Map<String, String> resources) throws Failure {
    Map<String, String> wanted = new LinkedHashMap<>(resources);
    if (wanted.keySet().stream().allMatch("walltime"::equals)) {
      wanted.put("select", ONE_CPU);
    }
    List<Attribute> asked = new ArrayList<>();
    wanted.forEach((name, value) -> asked.add(new Attribute(name, value)));
    try {
      return call.site().requests().parse(asked);
    } catch (RequestException e) {
      throw call.failure(e.getMessage(), PbsError.exitStatus(e.code()));
    }
  }

  /** In PBS's order: what was asked for, then place, then the length. */
  private static List<Attribute> shown(ParsedRequest first, ParsedRequest whole) {
    List<String> last = List.of("nodect", "select", "place", "walltime");
    List<Attribute> shown = new ArrayList<>();
    for (Attribute each : first.resourceList()) {
      if (!last.contains(each.getName())) {
        shown.add(each);
      }
    }
    for (String name : last) {
      whole.resourceList().stream().filter(it -> it.getName().equals(name)).forEach(shown::add);
    }
    return shown;
  }

  private static List<Attribute> variables(Call call) {
    Map<String, String> environment = call.invocation().environment();
    List<Attribute> variables = new ArrayList<>();
    add(variables, "PBS_O_LOGNAME", environment.get("LOGNAME"));
    add(variables, "PBS_O_HOST", call.host());
    add(variables, "PBS_O_MAIL", environment.get("MAIL"));
    add(variables, ZONE, environment.get(ZONE));
    return variables;
  }

  private static void add(List<Attribute> variables, String name, String value) {
    if (value != null && !value.isEmpty()) {
      variables.add(new Attribute(name, value));
    }
  }
}
