package io.millrace.server.campaigns.core;

import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import io.millrace.server.campaigns.core.group.GroupCommand;
import io.millrace.server.campaigns.core.group.GroupCommand.GroupedTask;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.core.task.TaskTag;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/** Commands for the shards about the jobs of tasks. */
final class TaskJobs {

  private static final int COMMAND_ID_BYTES = 16;
  private static final int TIME_BITS = 16;
  private static final int S_PER_HOUR = 3_600;
  private static final int S_PER_MINUTE = 60;

  /**
   * The folder is made, and the program runs in it. The text is the same for all; what a user has
   * written goes in as arguments, which no shell reads.
   */
  private static final List<String> START =
      List.of("/bin/sh", "-c", GroupCommand.NODES + "mkdir -p \"$0\" && cd \"$0\" && exec \"$@\"");

  private TaskJobs() {}

  /** An id that follows from the first of what is sent, so that it is decided again alike. */
  static CommandId id(long nowMs, TaskTag first) {
    ByteBuffer id = ByteBuffer.allocate(COMMAND_ID_BYTES);
    id.putLong(nowMs << TIME_BITS | first.attempt() & 0xffff);
    id.putLong(first.campaign() << Integer.SIZE | Integer.toUnsignedLong(first.task()));
    return new CommandId(id.array());
  }

  /** The campaign that has sent a command with such an id. */
  static long campaign(CommandId id) {
    return ByteBuffer.wrap(id.bytes()).getLong(Long.BYTES) >>> Integer.SIZE;
  }

  /** The same for a script: no task has such a number. */
  static CommandId id(long nowMs, ScriptDeciders.Tag tag) {
    int number = Integer.MIN_VALUE + 2 * tag.cluster() + (tag.after() ? 1 : 0);
    return id(nowMs, new TaskTag(tag.campaign(), number, tag.attempt()));
  }

  static CommandMeta meta(CommandId id, Campaign campaign, boolean answered) {
    return new CommandMeta(
        id,
        campaign.getOwner(),
        campaign.getGroup(),
        "campaigns",
        Role.CAMPAIGN,
        answered ? Topics.REPLY_TO_CAMPAIGNS : -1,
        0L);
  }

  static SubmitJobs submit(
      CampaignState state,
      Campaign campaign,
      CampaignCluster cluster,
      CommandId id,
      TasksSent sent) {
    Map<Integer, List<GroupedTask>> jobs = new LinkedHashMap<>();
    for (SentTask task : sent.getTasks()) {
      int lead = task.getLead() < 0 ? task.getTask() : task.getLead();
      String line = state.parameters(campaign, task.getTask());
      List<String> words = List.of(line.strip().split("\\s+"));
      jobs.computeIfAbsent(lead, it -> new ArrayList<>())
          .add(new GroupedTask(task.getTask(), task.getAttempt(), words));
    }
    List<NewJob> made = new ArrayList<>();
    for (List<GroupedTask> tasks : jobs.values()) {
      JobSpec job = job(campaign, cluster, tasks, sent.getNight());
      made.add(new NewJob(job, "n", List.of(), List.of(), null, 0L));
    }
    return new SubmitJobs(meta(id, campaign, true), List.of(), made);
  }

  /** The job of a task, or of several that run one after another. */
  private static JobSpec job(
      Campaign campaign, CampaignCluster cluster, List<GroupedTask> tasks, boolean night) {
    GroupedTask first = tasks.get(0);
    String program = macros(cluster.getProgram(), campaign);
    List<String> argv = new ArrayList<>(first.words());
    argv.add(0, program);
    JobSpec made = night ? cluster.getNight().getJob() : cluster.getJob();
    JobSpec job = job(campaign, cluster, made, argv);
    if (night) {
      job.setQueue(cluster.getNight().getName());
    }
    TaskTag tag = new TaskTag(campaign.getId(), first.task(), first.attempt());
    job.setName("cigri-" + campaign.getId() + "-" + tag.task());
    job.setCampaign(tag.toString());
    List<Attribute> variables = job.getVariables();
    both(variables, "JOB_ID", "JOBID", Integer.toString(tag.task()));
    both(variables, "JOB_NAME", "JOBNAME", first.words().get(0));
    variables.add(new Attribute("MILLRACE_ATTEMPT", Integer.toString(tag.attempt())));
    if (tasks.size() > 1) {
      String directory = macros(cluster.getDirectory(), campaign);
      job.setArgv(GroupCommand.of(cluster, directory, program, tasks));
      variables.add(new Attribute(WrittenSteps.VARIABLE, ""));
      // It would begin with the first task again.
      job.setRerunnable(false);
    }
    return job;
  }

  /** What tasks and scripts have in common. */
  private static JobSpec job(
      Campaign campaign, CampaignCluster cluster, JobSpec made, List<String> command) {
    String directory = macros(cluster.getDirectory(), campaign);
    List<String> argv = new ArrayList<>(START);
    argv.add(directory);
    argv.addAll(command);
    JobSpec job = copy(made);
    job.setOwner(campaign.getOwner());
    job.setGroup(campaign.getGroup());
    job.setQueue(cluster.getName());
    job.setArgv(argv);
    List<Attribute> variables = new ArrayList<>(job.getVariables());
    both(variables, "CAMPAIGN_ID", "CAMPAIGNID", Long.toString(campaign.getId()));
    both(variables, "WORKDIR", "WORKING_DIRECTORY", directory);
    variables.add(new Attribute("CIGRI_USER", campaign.getOwner()));
    variables.add(new Attribute("CIGRI_RESOURCES", resources(made)));
    long walltimeS = made.getRequest().getWalltimeS();
    if (walltimeS >= 0) {
      variables.add(new Attribute("CIGRI_WALLTIME", clock(walltimeS)));
      variables.add(new Attribute("CIGRI_WALLTIME_SECONDS", Long.toString(walltimeS)));
    }
    boolean night = cluster.getNight() != null && made == cluster.getNight().getJob();
    variables.add(new Attribute("CIGRI_TYPE", JobStanding.submitted(cluster, night)));
    job.setVariables(variables);
    return job;
  }

  /** What a job asks for, but for its walltime: as -l of qsub would have it. */
  private static String resources(JobSpec made) {
    return made.getResourceList().stream()
        .filter(it -> !it.getName().equals("walltime"))
        .map(it -> it.getName() + "=" + it.getValue())
        .collect(Collectors.joining(","));
  }

  private static String clock(long seconds) {
    return String.format(
        Locale.ROOT,
        "%02d:%02d:%02d",
        seconds / S_PER_HOUR,
        seconds % S_PER_HOUR / S_PER_MINUTE,
        seconds % S_PER_MINUTE);
  }

  /** What is not replaced afterwards is the same, and is not changed by anybody. */
  private static JobSpec copy(JobSpec made) {
    JobSpec job = new JobSpec();
    for (Schema.Field field : made.getSchema().getFields()) {
      job.put(field.pos(), made.get(field.pos()));
    }
    return job;
  }

  /** A script's lines are for a shell. */
  static SubmitJobs submit(
      Campaign campaign,
      CampaignCluster cluster,
      CampaignScript script,
      ScriptDeciders.Tag tag,
      CommandId id) {
    List<String> command = List.of("/bin/sh", "-c", macros(script.getText(), campaign));
    JobSpec job = job(campaign, cluster, script.getJob(), command);
    job.setName("cigri-" + campaign.getId() + (tag.after() ? "-epilogue" : "-prologue"));
    job.setCampaign(tag.toString());
    NewJob made = new NewJob(job, "n", List.of(), List.of(), null, 0L);
    return new SubmitJobs(meta(id, campaign, true), List.of(), List.of(made));
  }

  private static void both(List<Attribute> variables, String name, String alias, String value) {
    variables.add(new Attribute("CIGRI_" + name, value));
    variables.add(new Attribute("CIGRI_" + alias, value));
  }

  private static String macros(String text, Campaign campaign) {
    return text.replace("{CAMPAIGN_ID}", Long.toString(campaign.getId()));
  }

  static DeleteJob delete(Campaign campaign, OpenTask task, long nowMs) {
    TaskTag tag = new TaskTag(task.getCampaign(), task.getTask(), task.getAttempt());
    // Differs from the id under which the same task may be sent in this millisecond.
    CommandId id = id(nowMs, new TaskTag(tag.campaign(), ~tag.task(), tag.attempt()));
    return new DeleteJob(
        meta(id, campaign, false), task.getJobId(), false, List.of(), true, false, false);
  }

  static DeleteJob delete(Campaign campaign, ScriptMoved script, long nowMs) {
    ScriptDeciders.Tag tag =
        new ScriptDeciders.Tag(
            campaign.getId(), script.getAfter(), script.getCluster(), script.getAttempt());
    // An attempt's number is never negative: differs from the id under which it was sent.
    CommandId id =
        id(
            nowMs,
            new ScriptDeciders.Tag(tag.campaign(), tag.after(), tag.cluster(), ~tag.attempt()));
    return new DeleteJob(
        meta(id, campaign, false), script.getJobId(), false, List.of(), true, false, false);
  }

  /** Deletes the job only while it waits. */
  static DeleteJob takeBack(Campaign campaign, OpenTask task, long nowMs) {
    DeleteJob command = delete(campaign, task, nowMs);
    command.setWaitingOnly(true);
    return command;
  }

  static DeleteJob takeBack(Campaign campaign, ScriptMoved script, long nowMs) {
    DeleteJob command = delete(campaign, script, nowMs);
    command.setWaitingOnly(true);
    return command;
  }
}
