package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.CampaignSubmitted;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DeflaterOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** A desk, and the jobs that its commands would make. */
final class CampaignTrial {

  final MemoryTable table;
  final List<SpecificRecord> ledger = new ArrayList<>();

  /** What was sent and is not over, by tag. */
  final Map<String, JobSpec> jobs = new LinkedHashMap<>();

  /** Tags of all jobs that ever were. */
  final Set<String> everSent = new HashSet<>();

  final List<String> deleted = new ArrayList<>();

  /** What the server has sent to itself. */
  private final Deque<SpecificRecord> pending = new ArrayDeque<>();

  private final Map<String, CommandId> causes = new LinkedHashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<CommandId> begun = new HashSet<>();
  private final Map<Long, String> owners = new HashMap<>();
  private CampaignDesk desk;
  long nowMs = 1_000_000;

  /** Scripts of the campaigns that are submitted from now on. */
  List<CampaignScript> scripts = List.of();

  /** Who submits. */
  String user = "ada";

  /** Queue of the night that is seen of queues that may be best effort. */
  String nightQueue = "work";

  /** For how long the jobs have run whose ends are told. */
  long runMs = 100;

  /** Whether jobs have numbers, in the order in which they were sent, or are called by tags. */
  boolean numbered;

  /** What has come into the inbox. */
  final Set<Class<?>> taken = new HashSet<>();

  private long commands;

  CampaignTrial() {
    this(new MemoryTable());
  }

  CampaignTrial(MemoryTable table) {
    this.table = table;
    restart();
  }

  CommandMeta meta(String user, Role role) {
    byte[] id = ByteBuffer.allocate(16).putLong(nowMs << 16).putLong(++commands).array();
    return new CommandMeta(new CommandId(id), user, "users", "vm", role, -1, 0L);
  }

  /** The process is another one now. */
  void restart() {
    desk = new CampaignDesk(new CampaignState(table));
  }

  CampaignOutcome take(SpecificRecord record) {
    taken.add(record.getClass());
    CampaignOutcome outcome = desk.take(record, nowMs++);
    write(outcome.facts());
    for (CampaignOutcome.Order order : outcome.orders()) {
      if (order.command() instanceof SubmitJobs submission) {
        for (NewJob job : submission.getJobs()) {
          String tag = job.getSpec().getCampaign();
          if (!everSent.add(tag)) {
            throw new AssertionError(tag + " was sent twice");
          }
          jobs.put(tag, job.getSpec());
          numbers.put(tag, numbers.size());
          causes.put(tag, submission.getMeta().getId());
        }
      } else {
        deleted.add(((DeleteJob) order.command()).getJobId());
      }
    }
    outcome.more().ifPresent(pending::add);
    return outcome;
  }

  /** A fact that says whose its campaign is says it rightly: listeners are chosen by it. */
  private void checkOwner(SpecificRecord fact) {
    if (fact instanceof CampaignSubmitted submitted) {
      owners.put(submitted.getCampaign().getId(), submitted.getCampaign().getOwner());
    }
    Schema.Field owner = fact.getSchema().getField("owner");
    if (owner == null) {
      return;
    }
    long campaign =
        fact instanceof EventOpened opened
            ? opened.getEvent().getCampaign()
            : (long) fact.get(fact.getSchema().getField("campaign").pos());
    String known = campaign == 0 ? "" : owners.get(campaign);
    // One that was submitted before this trial went on from a table is not known.
    if (known != null && !fact.get(owner.pos()).equals(known)) {
      throw new AssertionError(fact + " is of a campaign of " + known);
    }
  }

  /** Notes facts, each of which must be one that can be written to a topic. */
  private void write(List<? extends SpecificRecord> facts) {
    for (SpecificRecord fact : facts) {
      checkOwner(fact);
      try {
        BinaryEncoder bytes =
            EncoderFactory.get().binaryEncoder(OutputStream.nullOutputStream(), null);
        new SpecificDatumWriter<SpecificRecord>(fact.getSchema()).write(fact, bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    ledger.addAll(facts);
  }

  /** What the server has sent to itself, one after the other; gives how many there were. */
  int goOn() {
    int taken = 0;
    for (; !pending.isEmpty(); taken++) {
      take(pending.remove());
    }
    return taken;
  }

  /** The server looks at what only time brings. */
  void look() {
    CampaignOutcome outcome = desk.look(nowMs);
    write(outcome.facts());
    outcome.more().ifPresent(pending::add);
  }

  static CampaignCluster cluster(String name, int most) {
    JobSpec job =
        JobSpec.newBuilder()
            .setName("n")
            .setOwner("someone")
            .setSubmitHost("vm")
            .setQueue("other")
            .setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()))
            .setResourceList(List.of())
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    CampaignCluster cluster = new CampaignCluster();
    cluster.setName(name);
    cluster.setJob(job);
    cluster.setProgram("/home/ada/run.sh");
    cluster.setDirectory("/home/ada/{CAMPAIGN_ID}");
    cluster.setProcessors(1);
    cluster.setMost(most);
    cluster.setRefusal("");
    cluster.setPrologue(TaskStatus.DONE);
    cluster.setEpilogue(TaskStatus.DONE);
    cluster.setPredictor("steady");
    cluster.setType("best-effort");
    return cluster;
  }

  private static CampaignText text(int tasks) {
    return text("{\"nb_jobs\": " + tasks + "}");
  }

  static CampaignText text(String json) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream packed = new DeflaterOutputStream(out)) {
      packed.write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new CampaignText(ByteBuffer.wrap(out.toByteArray()));
  }

  /** Sets admission rules: an expression and a message each. */
  Reply admit(Role role, AdmissionRule... rules) {
    return take(new SetAdmissionRules(meta("max", role), List.of(rules))).answer().orElseThrow();
  }

  /** What is answered to a campaign of two tasks with such a description. */
  CampaignOutcome submit(String json, List<String> groups, CampaignCluster... clusters) {
    return take(
        new SubmitCampaign(
            meta("ada", Role.USER),
            "demo",
            2,
            List.of(clusters),
            List.of(),
            text(json),
            false,
            scripts,
            groups));
  }

  /** Says how far a user is before others on a cluster. */
  Reply affinity(String by, Role role, String of, String cluster, int affinity) {
    return take(new SetAffinity(meta(by, role), of, cluster, affinity)).answer().orElseThrow();
  }

  /** A script of the cluster of this number. */
  static CampaignScript script(int cluster, boolean after) {
    return CampaignScript.newBuilder()
        .setCluster(cluster)
        .setAfter(after)
        .setJob(cluster("any", 0).getJob())
        .setText("echo {CAMPAIGN_ID}\n")
        .build();
  }

  /** One to which replicas may go. */
  static CampaignCluster finalizing(String name) {
    CampaignCluster cluster = cluster(name, 0);
    cluster.setFinalize(true);
    return cluster;
  }

  /** Submits a campaign of numbered tasks; gives its number. */
  long submit(int tasks, CampaignCluster... clusters) {
    SubmitCampaign command =
        new SubmitCampaign(
            meta(user, Role.USER),
            "demo",
            tasks,
            List.of(clusters),
            List.of(),
            text(tasks),
            false,
            scripts,
            List.of("users"));
    return Long.parseLong(take(command).answer().orElseThrow().getLines().get(0));
  }

  /** Submits a test of clusters; gives its number. */
  long test(CampaignCluster... clusters) {
    int tasks = clusters.length;
    SubmitCampaign command =
        new SubmitCampaign(
            meta("ada", Role.USER),
            "test",
            tasks,
            List.of(clusters),
            List.of(),
            text(tasks),
            true,
            scripts,
            List.of("users"));
    return Long.parseLong(take(command).answer().orElseThrow().getLines().get(0));
  }

  CampaignOutcome submit(List<String> lines, CampaignCluster... clusters) {
    ParameterBlocks blocks = new ParameterBlocks();
    lines.forEach(blocks::add);
    return take(
        new SubmitCampaign(
            meta("ada", Role.USER),
            "demo",
            blocks.count(),
            List.of(clusters),
            blocks.blocks(),
            text(blocks.count()),
            false,
            scripts,
            List.of("users")));
  }

  /** Adds tasks to a campaign. */
  CampaignOutcome add(String user, long id, List<String> lines) {
    return take(addition(user, id, lines));
  }

  /** The command that does so, for a campaign as it is now. */
  AddTasks addition(String user, long id, List<String> lines) {
    Campaign campaign = (Campaign) table.get(CampaignKeys.campaign(id));
    int beside = campaign == null ? 0 : ParameterBlocks.beside(campaign);
    ParameterBlocks blocks = new ParameterBlocks(beside);
    lines.forEach(blocks::add);
    List<String> groups = List.of("users");
    return new AddTasks(meta(user, Role.USER), id, lines.size(), beside, blocks.blocks(), groups);
  }

  Reply delete(long id, String user) {
    Reply reply = take(new DeleteCampaign(meta(user, Role.USER), id)).answer().orElseThrow();
    goOn();
    return reply;
  }

  Reply deleteTask(long id, int task) {
    return take(new DeleteTask(meta("ada", Role.USER), id, task)).answer().orElseThrow();
  }

  /** Has a campaign pause or go on, or renames it; null leaves it as it is. */
  Reply alter(long id, String user, Role role, String name, Boolean paused) {
    return take(new AlterCampaign(meta(user, role), id, name, paused)).answer().orElseThrow();
  }

  /** Fixes an event, or all events of a campaign when that is 0. */
  Reply fix(long campaign, long event, String user, Role role, boolean again) {
    FixEvents command = new FixEvents(meta(user, role), campaign, event, again, 0L);
    Reply reply = take(command).answer().orElseThrow();
    goOn();
    return reply;
  }

  /** Fixes all events of a campaign, but what is left to do stays in the inbox. */
  void beginFix(long campaign, String user) {
    take(new FixEvents(meta(user, Role.USER), campaign, 0L, true, 0L));
  }

  /** Events of a campaign, or of none (0). */
  List<CampaignEvent> events(long campaign) {
    List<CampaignEvent> events = new ArrayList<>();
    table.scan(CampaignKeys.events(campaign), it -> events.add((CampaignEvent) it));
    return events;
  }

  /** Has a user written to from a severity on. */
  Reply subscribe(String user, Role role, String address, NoticeSeverity severity) {
    return take(new SubscribeNotices(meta(user, role), address, severity)).answer().orElseThrow();
  }

  Reply unsubscribe(String user, String address) {
    return take(new UnsubscribeNotices(meta(user, Role.USER), address)).answer().orElseThrow();
  }

  /** The letters that are due. */
  List<NoticeWritten> letters() {
    CampaignOutcome outcome = desk.write(nowMs++);
    write(outcome.facts());
    return outcome.facts().stream().map(NoticeWritten.class::cast).toList();
  }

  /** Codes of the events that are open. */
  List<String> open(long campaign) {
    return events(campaign).stream()
        .filter(it -> it.getClosedMs() < 0)
        .map(CampaignEvent::getCode)
        .toList();
  }

  /** The same, but what is left to do stays in the inbox. */
  void beginDeletion(long id, String user) {
    take(new DeleteCampaign(meta(user, Role.USER), id));
  }

  void seen(String cluster, int processors, int idle) {
    seen(cluster, processors, idle, "");
  }

  void seen(String cluster, int processors, int idle, String code) {
    take(
        new NoteCluster(
            new ClusterLoad(cluster, processors, idle, false, "", 0L, "", 0.0, 0L),
            nowMs,
            code,
            code));
  }

  /** The same of a queue that is best effort, or at which it is night until a time. */
  void seen(String cluster, int idle, boolean bestEffort, long nightUntilMs) {
    ClusterLoad load =
        new ClusterLoad(
            cluster, 4, idle, bestEffort, "20:00-06:00", nightUntilMs, nightQueue, 0.0, 0L);
    take(new NoteCluster(load, nowMs, "", ""));
  }

  CampaignOutcome look(String cluster, int processors, int idle) {
    return take(
        new NoteCluster(
            new ClusterLoad(cluster, processors, idle, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
  }

  /** Whether nothing of the command with this job was taken: a shard takes all or none. */
  boolean refusable(String tag) {
    return !begun.contains(causes.get(tag));
  }

  CampaignOutcome tell(String tag, JobChange change, int exitStatus) {
    return tell(tag, change, exitStatus, "");
  }

  /** The same of a job that has written down how its steps ended. */
  CampaignOutcome tell(String tag, JobChange change, int exitStatus, String steps) {
    if (causes.containsKey(tag)) {
      begun.add(causes.get(tag));
    }
    NoteJob note =
        new NoteJob(tag, change, job(tag), 0, exitStatus, runMs, "", nowMs, steps, false);
    if (change == JobChange.FINISHED || change == JobChange.DELETED) {
      jobs.remove(tag);
    }
    return take(note);
  }

  /** Id of the job of a tag. */
  String job(String tag) {
    return numbered ? numbers.getOrDefault(tag, 0) + ".vm" : "job-" + tag;
  }

  /** A shard refuses the command with this job and all others in it. */
  void refuse(String tag) {
    refuse(tag, 15039, "the queue takes no jobs");
  }

  void refuse(String tag, int code, String why) {
    CommandId cause = causes.get(tag);
    jobs.keySet().removeIf(it -> cause.equals(causes.get(it)));
    take(new Reply(cause, code, List.of(why), false));
  }

  /** A job that is there; its tag. */
  String any() {
    return jobs.keySet().iterator().next();
  }
}
