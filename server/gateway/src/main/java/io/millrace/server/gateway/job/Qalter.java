package io.millrace.server.gateway.job;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.DependSyntax;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.NewJobBuilder;
import io.millrace.server.gateway.request.PassedAttributes;
import io.millrace.server.gateway.request.SubmitSyntax;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** qalter: changes what a job asked for. */
final class Qalter implements Command {

  private static final String USAGE =
      """
      usage: qalter [-a date_time] [-A account_string] [-c interval] [-e path]
      \t[-h hold_list] [-j y|n] [-k keep] [-l resource_list]
      \t[-m mail_options] [-M user_list] [-N jobname] [-o path] [-p priority]
      \t[-R o|e|oe] [-r y|n] [-S path] [-u user_list] [-W dependency_list]
      \t[-P project_name] job_identifier...
             qalter --version
      """;

  /** Resources that are derived from a select; a new select removes their old values. */
  private static final Set<String> CHUNKS = Set.of("select", "nodect", "nodes");

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(SubmitSyntax.QALTER_LETTERS, USAGE).refusing(refused()));
  }

  private static Map<Character, String> refused() {
    Map<Character, String> refused = new HashMap<>(SubmitSyntax.REFUSED);
    refused.keySet().removeIf(letter -> SubmitSyntax.QALTER_LETTERS.indexOf(letter) < 0);
    refused.put('u', SubmitSyntax.OWN_NAME);
    return refused;
  }

  @Override
  public int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException {
    GetOpt options = call.options(SubmitSyntax.QALTER_LETTERS);
    if (options.wrong() || options.operands().isEmpty()) {
      throw call.usage(USAGE);
    }
    JobOptions jobOptions = new SubmitSyntax(call, USAGE, true).read(options.options());
    String project = jobOptions.has('P') ? NewJobBuilder.project(call, jobOptions) : null;
    return JobList.run(
        call, options.operands(), (shard, id) -> alter(call, jobOptions, project, shard, id));
  }

  private static Reply refusal(AlterJob command, PbsError error) {
    return refusal(command, error.code(), error.text());
  }

  private static Reply refusal(AlterJob command, int code, String text) {
    return new Reply(command.getMeta().getId(), code, List.of(text), false);
  }

  private static Reply alter(Call call, JobOptions jobOptions, String project, int shard, String id)
      throws LinkException, InterruptedException {
    AlterJob command = new AlterJob();
    command.setMeta(call.meta());
    command.setJobId(id);
    if (jobOptions.hasUndefined()) {
      return refusal(command, PbsError.UNDEFINED_ATTRIBUTE);
    }
    if (!jobOptions.readOnly().isEmpty()) {
      return refusal(command, PbsError.READ_ONLY_ATTRIBUTE.code(), jobOptions.readOnly());
    }
    command.setName(jobOptions.get('N', null));
    command.setPriority(jobOptions.has('p') ? Integer.valueOf(jobOptions.get('p', "0")) : null);
    command.setRerunnable(jobOptions.has('r') ? jobOptions.get('r', "y").equals("y") : null);
    command.setAccount(jobOptions.get('A', null));
    command.setOutputPath(
        jobOptions.has('o') ? NewJobBuilder.path(call, jobOptions.get('o', "")) : null);
    command.setErrorPath(
        jobOptions.has('e') ? NewJobBuilder.path(call, jobOptions.get('e', "")) : null);
    command.setJoinPath(jobOptions.get('j', null));
    command.setShell(jobOptions.get('S', null));
    command.setHolds(jobOptions.get('h', null));
    command.setBefore(List.of());
    List<Attribute> passed = passed(jobOptions);
    command.setExtra(passed.isEmpty() ? null : passed);
    command.setProject(project);
    String most = jobOptions.attribute("max_run_subjobs");
    command.setMaxRunSubjobs(most == null ? null : Integer.valueOf(most));
    command.setEligibleMs(SubmitSyntax.eligibleMs(jobOptions));
    command.setExecutionMs(NewJobBuilder.startTime(call, jobOptions).orElse(null));
    try {
      depend(call, jobOptions.attribute("depend"), command);
      if (!group(call, jobOptions, command)) {
        return refusal(command, PbsError.BAD_GID);
      }
    } catch (QueryException e) {
      throw new LinkException(LinkException.LinkFailureKind.UNREACHABLE, e.getMessage());
    }
    if (!jobOptions.resources().isEmpty()) {
      try {
        List<Attribute> asked = wanted(call, jobOptions.resources(), id);
        ParsedRequest request = call.site().requests().parse(asked);
        command.setRequest(request.request());
        command.setResourceList(request.resourceList());
        command.setAsked(asked);
      } catch (RequestException e) {
        return refusal(command, e.code(), e.getMessage());
      } catch (QueryException e) {
        throw new LinkException(LinkException.LinkFailureKind.UNREACHABLE, e.getMessage());
      }
    }
    return call.await(call.sendAsync(shard, command.getMeta(), command));
  }

  /** Attributes that are passed on; the shard refuses a change of block, and users' comments. */
  private static List<Attribute> passed(JobOptions jobOptions) {
    List<Attribute> passed = new ArrayList<>(PassedAttributes.all(jobOptions));
    String comment = jobOptions.attribute(JobAttributes.COMMENT);
    if (comment != null) {
      passed.add(new Attribute(JobAttributes.COMMENT, comment));
    }
    String block = PassedAttributes.BLOCK.of(jobOptions);
    if ("False".equals(block)) {
      passed.add(new Attribute(PassedAttributes.BLOCK.attribute(), block));
    }
    return passed;
  }

  /** Sets the group from -W group_list; false when the owner is in no such group. */
  private static boolean group(Call call, JobOptions jobOptions, AlterJob command)
      throws QueryException, InterruptedException {
    String list = PassedAttributes.GROUP_LIST.of(jobOptions);
    Job job =
        list == null
            ? null
            : call.site().queries().job(JobNumbers.of(command.getJobId())).orElse(null);
    if (job == null) {
      return true; // the shard refuses a job that does not exist
    }
    String owner = job.getSpec().getOwner();
    if (call.role() == Role.USER && !owner.equals(call.invocation().user())) {
      return true; // not his job: the shard refuses
    }
    command.setGroup(NewJobBuilder.groupFor(call, owner, list).orElse(null));
    return command.getGroup() != null;
  }

  /** Sets dependencies; a value with before kinds only leaves what the job waits for unchanged. */
  private static void depend(Call call, String value, AlterJob command)
      throws QueryException, InterruptedException {
    if (value != null) {
      DependSyntax others = DependSyntax.read(call.site(), value);
      boolean only = others.depend().isEmpty() && !others.before().isEmpty();
      command.setDepend(only ? null : others.depend());
      command.setBefore(others.before());
    }
  }

  /** The current request of the job, overlaid with the given values. */
  private static List<Attribute> wanted(Call call, Map<String, String> given, String id)
      throws QueryException, InterruptedException {
    long number = JobNumbers.of(id);
    Map<String, String> wanted = new LinkedHashMap<>();
    Job job = call.site().queries().job(number).orElse(null);
    if (job != null) {
      wanted.putAll(kept(job, given, call.site().resources()));
    }
    wanted.putAll(given);
    return NewJobBuilder.attributes(wanted);
  }

  private static Map<String, String> kept(Job job, Map<String, String> given, ResourceTable table) {
    boolean select = given.containsKey("select") || given.containsKey("nodes");
    boolean jobWide = !select && given.keySet().stream().anyMatch(name -> onHost(table, name));
    Map<String, String> asked = values(job.getSpec().getAsked());
    boolean chunks = asked.keySet().stream().anyMatch(CHUNKS::contains);
    if (job.getSpec().getAsked() == null || (jobWide && chunks)) {
      return shown(job, jobWide, select);
    }
    if (select) {
      asked.keySet().removeIf(name -> CHUNKS.contains(name) || onHost(table, name));
      // A new select leaves the placement as it was.
      asked.put("place", values(job.getSpec().getResourceList()).getOrDefault("place", "free"));
    }
    if (given.containsKey("nodes")) {
      asked.remove("place");
    }
    return asked;
  }

  private static boolean onHost(ResourceTable table, String name) {
    return table.find(name).filter(r -> r.onHost()).isPresent();
  }

  private static Map<String, String> values(List<Attribute> attributes) {
    Map<String, String> values = new LinkedHashMap<>();
    if (attributes != null) {
      attributes.forEach(it -> values.put(it.getName(), it.getValue()));
    }
    return values;
  }

  /** The resources that are shown, without those that follow from others. */
  private static Map<String, String> shown(Job job, boolean jobWide, boolean select) {
    Map<String, String> kept = new LinkedHashMap<>();
    for (Attribute attribute : job.getSpec().getResourceList()) {
      String name = attribute.getName();
      boolean shownOnly = !jobWide && !CHUNKS.contains(name) && summed(job, name);
      // Job-wide amounts bring a placement of their own.
      boolean replaced = jobWide && (CHUNKS.contains(name) || name.equals("place"));
      if (!shownOnly && !replaced && !(select && CHUNKS.contains(name))) {
        kept.put(name, attribute.getValue());
      }
    }
    return kept;
  }

  /** Whether a job-wide value is only the sum over the chunks of the select. */
  private static boolean summed(Job job, String name) {
    return job.getSpec().getRequest().getChunks().stream()
        .anyMatch(c -> c.getAmounts().containsKey(name) || c.getMatches().containsKey(name));
  }
}
