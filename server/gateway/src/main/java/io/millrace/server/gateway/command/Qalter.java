package io.millrace.server.gateway.command;

import io.millrace.reservations.resources.ParsedRequest;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
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

  /** What follows from a select; given anew, the old values go. */
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
    Wishes wishes = new SubmitSyntax(call, USAGE, true).read(options.options());
    String project = wishes.has('P') ? JobBuilder.project(call, wishes) : null;
    return JobList.run(
        call, options.operands(), (shard, id) -> alter(call, wishes, project, shard, id));
  }

  private static Reply refusal(AlterJob command, int code, String text) {
    return new Reply(command.getMeta().getId(), code, List.of(text), false);
  }

  private static Reply alter(Call call, Wishes wishes, String project, int shard, String id)
      throws LinkException, InterruptedException {
    AlterJob command = new AlterJob();
    command.setMeta(call.meta());
    command.setJobId(id);
    if (wishes.hasUndefined()) {
      return refusal(command, SubmitSyntax.UNDEFINED_ATTRIBUTE, "Undefined attribute ");
    }
    command.setName(wishes.get('N', null));
    command.setPriority(wishes.has('p') ? Integer.valueOf(wishes.get('p', "0")) : null);
    command.setRerunnable(wishes.has('r') ? wishes.get('r', "y").equals("y") : null);
    command.setAccount(wishes.get('A', null));
    command.setOutputPath(wishes.has('o') ? JobBuilder.path(call, wishes.get('o', "")) : null);
    command.setErrorPath(wishes.has('e') ? JobBuilder.path(call, wishes.get('e', "")) : null);
    command.setJoinPath(wishes.get('j', null));
    command.setShell(wishes.get('S', null));
    command.setHolds(wishes.get('h', null));
    command.setBefore(List.of());
    List<Attribute> passed = passed(wishes);
    command.setExtra(passed.isEmpty() ? null : passed);
    command.setProject(project);
    String most = wishes.attribute("max_run_subjobs");
    command.setMaxRunSubjobs(most == null ? null : Integer.valueOf(most));
    command.setEligibleMs(SubmitSyntax.eligibleMs(wishes));
    command.setExecutionMs(JobBuilder.startTime(call, wishes).orElse(null));
    try {
      depend(call, wishes.attribute("depend"), command);
      if (!group(call, wishes, command)) {
        return refusal(command, JobBuilder.BAD_GID, JobBuilder.NOT_A_GROUP);
      }
    } catch (QueryException e) {
      throw new LinkException(LinkException.Kind.UNREACHABLE, e.getMessage());
    }
    if (!wishes.resources().isEmpty()) {
      try {
        List<Attribute> asked = wanted(call, wishes.resources(), id);
        ParsedRequest request = call.site().requests().parse(asked);
        command.setRequest(request.request());
        command.setResourceList(request.resourceList());
        command.setAsked(asked);
      } catch (RequestException e) {
        return refusal(command, e.code(), e.getMessage());
      } catch (QueryException e) {
        throw new LinkException(LinkException.Kind.UNREACHABLE, e.getMessage());
      }
    }
    return call.await(call.sendAsync(shard, command.getMeta(), command));
  }

  /** What no shard reckons with; that a job is waited for is for the shard to refuse. */
  private static List<Attribute> passed(Wishes wishes) {
    List<Attribute> passed = new ArrayList<>(PassedAttributes.all(wishes));
    String block = PassedAttributes.BLOCK.of(wishes);
    if ("False".equals(block)) {
      passed.add(new Attribute(PassedAttributes.BLOCK.attribute(), block));
    }
    return passed;
  }

  /** Its group from -W group_list; false when its owner is in no such group. */
  private static boolean group(Call call, Wishes wishes, AlterJob command)
      throws QueryException, InterruptedException {
    String list = PassedAttributes.GROUP_LIST.of(wishes);
    Job job =
        list == null
            ? null
            : call.site().queries().job(JobNumbers.of(command.getJobId())).orElse(null);
    if (job == null) {
      return true; // the shard says what becomes of a job that is not there
    }
    String owner = job.getSpec().getOwner();
    if (call.role() == Role.USER && !owner.equals(call.invocation().user())) {
      return true; // not his, which the shard says
    }
    command.setGroup(JobBuilder.groupFor(call, owner, list).orElse(null));
    return command.getGroup() != null;
  }

  /** What it waits for; a value that names only jobs that wait for it leaves that as it is. */
  private static void depend(Call call, String value, AlterJob command)
      throws QueryException, InterruptedException {
    if (value != null) {
      DependSyntax others = DependSyntax.read(call.site(), value);
      boolean only = others.depend().isEmpty() && !others.before().isEmpty();
      command.setDepend(only ? null : others.depend());
      command.setBefore(others.before());
    }
  }

  /** What the job asks for now, with the given values over it. */
  private static List<Attribute> wanted(Call call, Map<String, String> given, String id)
      throws QueryException, InterruptedException {
    long number = JobNumbers.of(id);
    Map<String, String> wanted = new LinkedHashMap<>();
    Job job = call.site().queries().job(number).orElse(null);
    if (job != null) {
      wanted.putAll(kept(job, given, call.site().resources()));
    }
    wanted.putAll(given);
    return JobBuilder.attributes(wanted);
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

  /** The parts of what is shown that do not only follow from others. */
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
