package io.millrace.server.gateway.command;

import io.millrace.reservations.resources.ParsedRequest;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.RequestParser;
import io.millrace.schemas.JobAttributes;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.state.ArrayState;
import io.millrace.server.gateway.query.QueryException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes job records out of wishes. One for all jobs of an invocation; not thread-safe. */
final class JobBuilder {

  private static final String NAME_OF_INPUT = "STDIN";
  private static final int ARGUMENTS_MAX = 4096;
  static final int BAD_GID = 15045;
  static final String NOT_A_GROUP = "Bad GID for job execution";
  private static final int ILLEGAL_VALUE = 15014;

  /** What PBS keeps for the lists of limits. */
  private static final String NOT_IN_PROJECTS = "/[]\";:|<>+,?*";

  private static final String NO_PROJECT = "_pbs_project_default";

  /** Variables that say where the job comes from; qsub alone gives them. */
  private static final String OF_SUBMITTER = "PBS_O_";

  private final Call call;
  private final RequestParser requests;
  private final List<Attribute> before;
  private final List<String> groups;

  JobBuilder(Call call) {
    this.call = call;
    this.requests = call.site().requests();
    this.before = variablesBefore();
    this.groups = OwnerGroups.of(call.site(), call.invocation().user());
  }

  /**
   * What is to be executed.
   *
   * @param name base name of the script file; empty for standard input and for a command
   * @param script the script's record; null for a command
   * @param argv the command; empty for a script
   */
  record Program(String name, Script script, List<String> argv) {

    static Program script(String name, byte[] text) {
      return new Program(
          name, new Script(ByteBuffer.wrap(sha256(text)), ByteBuffer.wrap(text)), List.of());
    }

    static Program command(List<String> argv) {
      return new Program("", null, argv);
    }

    /** Length of the script. */
    int bytes() {
      return script == null ? 0 : script.getText().remaining();
    }
  }

  /**
   * @param wishes options, directives already under them
   * @param queue destination queue
   * @param arguments what is shown as Submit_arguments
   * @throws RequestException for a wrong -l value
   * @throws QueryException when nobody says where the jobs are that it depends on
   */
  NewJob build(Wishes wishes, String queue, Program program, List<String> arguments)
      throws Failure, RequestException, QueryException, InterruptedException {
    List<Attribute> asked = attributes(wishes.resources());
    ParsedRequest request = requests.parse(asked);
    JobSpec spec = new JobSpec();
    spec.setName(wishes.get('N', program.name().isEmpty() ? NAME_OF_INPUT : program.name()));
    spec.setOwner(call.invocation().user());
    spec.setGroup(group(wishes));
    spec.setSubmitHost(call.host());
    spec.setQueue(queue);
    spec.setPriority(Integer.parseInt(wishes.get('p', "0")));
    spec.setRerunnable(wishes.get('r', "y").equals("y"));
    spec.setAccount(wishes.get('A', ""));
    spec.setProject(project(call, wishes));
    spec.setRequest(request.request());
    spec.setResourceList(request.resourceList());
    spec.setOutputPath(path(call, wishes.get('o', "")));
    spec.setErrorPath(path(call, wishes.get('e', "")));
    spec.setJoinPath(wishes.get('j', "n"));
    // Which of them it is says the host of each run.
    spec.setShell(wishes.get('S', ""));
    spec.setVariables(variables(wishes, queue));
    spec.setScriptHash(
        program.script() == null ? ByteBuffer.allocate(0) : program.script().getHash());
    spec.setArgv(program.argv());
    spec.setSubmitArguments(shown(arguments));
    spec.setExtra(PassedAttributes.all(wishes));
    spec.setAsked(asked);
    spec.setGroups(groups);
    spec.setExecutionMs(startTime(call, wishes).orElse(0L));
    spec.setTerminal("");
    Qsub.checkArray(call, wishes);
    ArrayState array = SubmitSyntax.array(wishes.get('J', "")).orElse(null);
    String most = wishes.attribute("max_run_subjobs");
    if (array != null && most != null) {
      array.setMost(Integer.parseInt(most));
    }
    String depend = wishes.attribute("depend");
    DependSyntax others = DependSyntax.read(call.site(), depend == null ? "" : depend);
    String holds = wishes.has('h') ? "u" : "n";
    Long eligibleMs = SubmitSyntax.eligibleMs(wishes);
    return new NewJob(
        spec, holds, others.depend(), others.before(), array, eligibleMs == null ? 0L : eligibleMs);
  }

  /** The owner's, or the one of -W group_list that is for this host. */
  private String group(Wishes wishes) throws Failure {
    String list = PassedAttributes.GROUP_LIST.of(wishes);
    if (list == null) {
      return call.invocation().group();
    }
    return groupFor(call, call.invocation().user(), list)
        .orElseThrow(() -> call.failure(NOT_A_GROUP, Failure.status(BAD_GID)));
  }

  /** The group of a list that is for this host; empty when the owner is not in it. */
  static Optional<String> groupFor(Call call, String owner, String list) {
    String wanted = forHost(call, list);
    List<String> all = OwnerGroups.all(owner);
    boolean in = !wanted.isEmpty() && all != null && all.contains(wanted);
    return in ? Optional.of(wanted) : Optional.empty();
  }

  /** Of option -P; who names none has the one that PBS names. */
  static String project(Call call, Wishes wishes) throws Failure {
    String project = wishes.get('P', "");
    if (project.chars().anyMatch(it -> NOT_IN_PROJECTS.indexOf(it) >= 0)) {
      String refusal = "Illegal attribute or resource value  project";
      throw call.failure(refusal, Failure.status(ILLEGAL_VALUE));
    }
    return project.isEmpty() ? NO_PROJECT : project;
  }

  /** Of option -a, which has been checked. */
  static Optional<Long> startTime(Call call, Wishes wishes) {
    return wishes.has('a')
        ? PosixDate.parse(wishes.get('a', ""), ZonedDateTime.now(call.clock()))
        : Optional.empty();
  }

  static List<Attribute> attributes(Map<String, String> values) {
    List<Attribute> attributes = new ArrayList<>(values.size());
    values.forEach((name, value) -> attributes.add(new Attribute(name, value)));
    return attributes;
  }

  /**
   * Output path as {@code host:/absolute/path}. Empty stays empty: the shard, which knows the
   * number, puts the default there.
   */
  static String path(Call call, String given) {
    if (given.isEmpty()) {
      return "";
    }
    int colon = given.indexOf(':');
    String host = colon < 0 ? call.host() : given.substring(0, colon);
    String path = given.substring(colon + 1);
    String absolute = path.startsWith("/") ? path : call.invocation().directory() + "/" + path;
    return host + ":" + absolute;
  }

  /** Of a list name[@host],... the entry for the host of the caller. */
  static String forHost(Call call, String list) {
    return JobAttributes.forHost(list, call.host());
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
    for (String item : Words.splitList(list)) {
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

  private List<Attribute> variables(Wishes wishes, String queue) throws Failure {
    List<Attribute> variables = new ArrayList<>(before);
    Map<String, String> exported = new TreeMap<>();
    if (wishes.has('V')) {
      exported.putAll(call.invocation().environment());
    }
    if (wishes.has('v')) {
      exported.putAll(named(wishes.get('v', "")));
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

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static String text(byte[] script) {
    return new String(script, StandardCharsets.UTF_8);
  }
}
