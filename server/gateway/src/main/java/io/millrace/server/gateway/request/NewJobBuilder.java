package io.millrace.server.gateway.request;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.state.ArrayState;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.PosixDate;
import io.millrace.server.gateway.operand.ShellWords;
import io.millrace.server.gateway.query.QueryException;
import java.nio.ByteBuffer;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes job records out of options. One for all jobs of an invocation; not thread-safe. */
public final class NewJobBuilder {

  private static final String NAME_OF_INPUT = "STDIN";
  private static final int ARGUMENTS_MAX = 4096;

  /** Characters that no project has: PBS's lists of limits need them. */
  private static final String NOT_IN_PROJECTS = "/[]\";:|<>+,?*";

  private static final String NO_PROJECT = "_pbs_project_default";

  /** Variables that say where the job comes from; qsub alone gives them. */
  private static final String OF_SUBMITTER = "PBS_O_";

  private final Call call;
  private final RequestParser requests;
  private final List<Attribute> before;
  private final List<String> groups;

  public NewJobBuilder(Call call) {
    this.call = call;
    this.requests = call.site().requests();
    this.before = variablesBefore();
    this.groups = OwnerGroups.of(call.site(), call.invocation().user());
  }

  /** As in PBS a script has to be called what a job may be called, unless the job has a name. */
  private String name(JobOptions jobOptions, JobProgram program) throws Failure {
    if (jobOptions.has('N')) {
      return jobOptions.get('N', "");
    }
    if (program.name().isEmpty()) {
      return NAME_OF_INPUT;
    }
    if (!SubmitSyntax.isJobName(program.name())) {
      throw call.failure("cannot form a valid job name from the script name", 1);
    }
    return program.name();
  }

  /**
   * @param jobOptions of the command line, with those of directives and the server under them
   * @param queue destination queue
   * @param arguments what is shown as Submit_arguments
   * @throws RequestException for a wrong -l value
   * @throws QueryException when the jobs that it depends on cannot be found
   */
  public NewJob build(
      JobOptions jobOptions, String queue, JobProgram program, List<String> arguments)
      throws Failure, RequestException, QueryException, InterruptedException {
    List<Attribute> asked = attributes(jobOptions.resources());
    ParsedRequest request = requests.parse(asked);
    JobSpec spec = new JobSpec();
    spec.setName(name(jobOptions, program));
    spec.setOwner(call.invocation().user());
    spec.setGroup(group(jobOptions));
    spec.setSubmitHost(call.host());
    spec.setQueue(queue);
    spec.setPriority(Integer.parseInt(jobOptions.get('p', "0")));
    spec.setRerunnable(jobOptions.get('r', "y").equals("y"));
    spec.setAccount(jobOptions.get('A', ""));
    spec.setProject(project(call, jobOptions));
    spec.setRequest(request.request());
    spec.setResourceList(request.resourceList());
    spec.setOutputPath(path(call, jobOptions.get('o', "")));
    spec.setErrorPath(path(call, jobOptions.get('e', "")));
    spec.setJoinPath(jobOptions.get('j', "n"));
    // The host of each run decides which of them applies.
    spec.setShell(jobOptions.get('S', ""));
    spec.setVariables(variables(jobOptions, queue));
    spec.setScriptHash(
        program.script() == null ? ByteBuffer.allocate(0) : program.script().getHash());
    spec.setArgv(program.argv());
    spec.setSubmitArguments(shown(arguments));
    spec.setExtra(PassedAttributes.all(jobOptions));
    spec.setAsked(asked);
    spec.setGroups(groups);
    spec.setExecutionMs(startTime(call, jobOptions).orElse(0L));
    spec.setTerminal("");
    spec.setCampaign("");
    spec.setReserveRun("true".equals(jobOptions.attribute(SubmitSyntax.RESERVE_RUN)));
    checkArray(call, jobOptions);
    ArrayState array = SubmitSyntax.array(jobOptions.get('J', "")).orElse(null);
    String most = jobOptions.attribute("max_run_subjobs");
    if (array != null && most != null) {
      array.setMost(Integer.parseInt(most));
    }
    String depend = jobOptions.attribute("depend");
    DependSyntax others = DependSyntax.read(call.site(), depend == null ? "" : depend);
    String holds = jobOptions.has('h') ? "u" : "n";
    Long eligibleMs = SubmitSyntax.eligibleMs(jobOptions);
    return new NewJob(
        spec, holds, others.depend(), others.before(), array, eligibleMs == null ? 0L : eligibleMs);
  }

  /** Refuses options that cannot stand together with -J, or not without it. */
  private static void checkArray(Call call, JobOptions jobOptions) throws Failure {
    if (jobOptions.get('m', "").indexOf('j') >= 0 && !jobOptions.has('J')) {
      throw call.failure("mail option 'j' can not be used without array job", 1);
    }
    if (jobOptions.has('J') && jobOptions.attribute(SubmitSyntax.RESERVE_RUN) != null) {
      throw call.failure(PbsError.RESERVATION_OF_ARRAY);
    }
    boolean limited = jobOptions.attribute("max_run_subjobs") != null;
    if (limited && !jobOptions.has('J')) {
      throw call.failure(PbsError.NOT_AN_ARRAY);
    }
    if (limited && jobOptions.get('J', "").indexOf('%') >= 0) {
      call.complain("multiple max_run_subjobs values found");
      throw call.usage(QsubOptions.USAGE);
    }
    if (jobOptions.has('J') && jobOptions.get('r', "y").equals("n")) {
      call.complain(" cannot submit non-rerunable Array Job");
      throw call.usage(QsubOptions.USAGE);
    }
  }

  /** The owner's, or the one of -W group_list that is for this host. */
  private String group(JobOptions jobOptions) throws Failure {
    String list = PassedAttributes.GROUP_LIST.of(jobOptions);
    if (list == null) {
      return call.invocation().group();
    }
    return groupFor(call, call.invocation().user(), list)
        .orElseThrow(() -> call.failure(PbsError.BAD_GID));
  }

  /** The group of a list that is for this host; empty when the owner is not in it. */
  public static Optional<String> groupFor(Call call, String owner, String list) {
    String wanted = JobAttributes.forHost(list, call.host());
    List<String> all = OwnerGroups.all(owner);
    boolean in = !wanted.isEmpty() && all != null && all.contains(wanted);
    return in ? Optional.of(wanted) : Optional.empty();
  }

  /** The project of option -P; without one the name that PBS gives then. */
  public static String project(Call call, JobOptions jobOptions) throws Failure {
    String project = jobOptions.get('P', "");
    if (project.chars().anyMatch(it -> NOT_IN_PROJECTS.indexOf(it) >= 0)) {
      throw call.failure(
          PbsError.ILLEGAL_VALUE.text() + "  project", PbsError.ILLEGAL_VALUE.exitStatus());
    }
    return project.isEmpty() ? NO_PROJECT : project;
  }

  /** The time of option -a in milliseconds since 1970; the option has been checked. */
  public static Optional<Long> startTime(Call call, JobOptions jobOptions) {
    return jobOptions.has('a')
        ? PosixDate.parse(jobOptions.get('a', ""), ZonedDateTime.now(call.clock()))
        : Optional.empty();
  }

  public static List<Attribute> attributes(Map<String, String> values) {
    List<Attribute> attributes = new ArrayList<>(values.size());
    values.forEach((name, value) -> attributes.add(new Attribute(name, value)));
    return attributes;
  }

  /**
   * Output path as {@code host:/absolute/path}. Empty stays empty: the shard, which knows the
   * number, puts the default there.
   */
  public static String path(Call call, String given) {
    if (given.isEmpty()) {
      return "";
    }
    int colon = given.indexOf(':');
    String host = colon < 0 ? call.host() : given.substring(0, colon);
    String path = given.substring(colon + 1);
    String absolute = path.startsWith("/") ? path : call.invocation().directory() + "/" + path;
    return host + ":" + absolute;
  }

  private List<Attribute> variablesBefore() {
    Map<String, String> environment = call.invocation().environment();
    List<Attribute> variables = new ArrayList<>();
    for (String name : List.of("HOME", "LANG", "LOGNAME", "PATH", "MAIL", "SHELL")) {
      if (environment.containsKey(name)) {
        variables.add(new Attribute(OF_SUBMITTER + name, environment.get(name)));
      }
    }
    variables.add(new Attribute("PBS_O_WORKDIR", call.invocation().directory()));
    variables.add(new Attribute("PBS_O_SYSTEM", "Linux"));
    return variables;
  }

  /** The caller's own variables of these names and with them those that are given whole. */
  private Map<String, String> named(String list) throws Failure {
    Map<String, String> environment = call.invocation().environment();
    Map<String, String> named = new TreeMap<>();
    for (String item : ShellWords.splitList(list)) {
      int equals = item.indexOf('=');
      String name = equals < 0 ? item.strip() : item.substring(0, equals).strip();
      String value = equals < 0 ? environment.get(name) : item.substring(equals + 1);
      if (name.isEmpty() || name.startsWith(OF_SUBMITTER)) {
        continue;
      }
      if (value == null) {
        throw call.failure("cannot send environment with the job", 1);
      }
      named.put(name, value);
    }
    return named;
  }

  private List<Attribute> variables(JobOptions jobOptions, String queue) throws Failure {
    List<Attribute> variables = new ArrayList<>(before);
    Map<String, String> exported = new TreeMap<>();
    if (jobOptions.has('V')) {
      exported.putAll(call.invocation().environment());
    }
    if (jobOptions.has('v')) {
      exported.putAll(named(jobOptions.get('v', "")));
    }
    exported.keySet().removeIf(name -> name.startsWith(OF_SUBMITTER));
    exported.keySet().removeAll(Call.NOT_FOR_JOBS);
    variables.addAll(attributes(exported));
    variables.add(new Attribute("PBS_O_QUEUE", queue));
    variables.add(new Attribute("PBS_O_HOST", call.host()));
    return variables;
  }

  private static String shown(List<String> arguments) {
    StringBuilder shown = new StringBuilder();
    for (String argument : arguments) {
      boolean quote = argument.isEmpty() || argument.chars().anyMatch(Character::isWhitespace);
      shown.append(shown.length() == 0 ? "" : " ");
      shown.append(quote ? '"' + argument + '"' : argument);
      if (shown.length() > ARGUMENTS_MAX) {
        return shown.substring(0, ARGUMENTS_MAX) + "...";
      }
    }
    return shown.toString();
  }
}
