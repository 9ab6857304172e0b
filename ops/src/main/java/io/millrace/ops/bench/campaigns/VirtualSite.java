package io.millrace.ops.bench.campaigns;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.CampaignDesk;
import io.millrace.server.campaigns.core.CampaignOutcome;
import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.avro.specific.SpecificRecord;

/**
 * The campaign server's own deciders and appliers, and clusters at which it looks each second.
 * Nothing takes time but the jobs.
 */
final class VirtualSite {

  static final long START_MS = 1_000_000;

  private static final long LOOK_MS = 1_000;

  /** What qsub gives a job of its caller's environment, about. */
  private static final int VARIABLES = 20;

  private record Due(long atMs, long order, NoteJob note) {}

  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::atMs).thenComparingLong(Due::order));
  private final Map<String, TimedCluster> clusters = new TreeMap<>();
  private final MemoryTable table = new MemoryTable();
  private final Consumer<NoteJob> heard;
  private CampaignDesk desk = new CampaignDesk(new CampaignState(table));
  private long told;
  private long commands;
  private long nowMs = START_MS;
  private long lookMs = START_MS;

  /**
   * @param heard told of what becomes of jobs
   */
  VirtualSite(Consumer<NoteJob> heard) {
    this.heard = heard;
  }

  /** A further cluster; its shard's number is how many there were before. */
  void add(String name, int processors, ToLongFunction<String> takesMs) {
    clusters.put(name, new TimedCluster(clusters.size(), name, processors, takesMs, this::tell));
  }

  private void tell(long atMs, NoteJob note) {
    due.add(new Due(atMs, told++, note));
  }

  long nowMs() {
    return nowMs;
  }

  MemoryTable table() {
    return table;
  }

  /** Processor time of all runs that are over, ms. */
  double ranMs() {
    return clusters.values().stream().mapToDouble(TimedCluster::ranMs).sum();
  }

  /** The process is another one now. */
  void restart() {
    desk = new CampaignDesk(new CampaignState(table));
  }

  private CampaignCluster cluster(String name, boolean replicas) {
    List<Attribute> variables = new ArrayList<>();
    for (int i = 0; i < VARIABLES; i++) {
      variables.add(new Attribute("PBS_O_VARIABLE_" + i, "/home/someone/of/a/usual/length"));
    }
    JobSpec job =
        JobSpec.newBuilder()
            .setName("task")
            .setOwner("ada")
            .setSubmitHost("host")
            .setQueue(name)
            .setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()))
            .setResourceList(List.of())
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(variables)
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    return CampaignCluster.newBuilder()
        .setName(name)
        .setShard(List.copyOf(clusters.keySet()).indexOf(name))
        .setJob(job)
        .setProgram("/bin/true")
        .setDirectory("/")
        .setFinalize(replicas)
        .build();
  }

  /**
   * A campaign for all clusters.
   *
   * @param blocks none: the parameter of each task is its number
   */
  record NewCampaign(
      String user, int tasks, List<ParameterBlock> blocks, boolean test, boolean replicas) {
    NewCampaign(String user, int tasks) {
      this(user, tasks, List.of(), false, false);
    }
  }

  /** Submits a campaign; gives its number. */
  long submit(NewCampaign campaign) {
    List<CampaignCluster> places = new ArrayList<>();
    clusters.keySet().forEach(name -> places.add(cluster(name, campaign.replicas())));
    byte[] bytes = ByteBuffer.allocate(Long.BYTES * 2).putLong(nowMs).putLong(++commands).array();
    CommandMeta meta =
        new CommandMeta(new CommandId(bytes), campaign.user(), "users", "host", Role.USER, -1, 0L);
    CampaignText text = new CampaignText(ByteBuffer.allocate(0));
    Reply reply =
        take(new SubmitCampaign(
                meta,
                "campaign",
                campaign.tasks(),
                places,
                campaign.blocks(),
                text,
                campaign.test(),
                List.of(),
                null))
            .answer()
            .orElseThrow();
    if (reply.getCode() != 0) {
      throw new IllegalStateException(String.join(" ", reply.getLines()));
    }
    return Long.parseLong(reply.getLines().get(0));
  }

  /** Submits a test; gives its number. */
  long submitTest(String user) {
    return submit(new NewCampaign(user, clusters.size(), List.of(), true, false));
  }

  Campaign campaign(long id) {
    return (Campaign) table.get(CampaignKeys.campaign(id));
  }

  /** Goes on, record by record, while a condition holds. */
  void runWhile(BooleanSupplier condition) {
    while (condition.getAsBoolean()) {
      if (due.isEmpty() || due.peek().atMs() > lookMs) {
        nowMs = lookMs;
        look();
        lookMs += LOOK_MS;
      } else {
        Due next = due.poll();
        nowMs = next.atMs();
        happen(next.note());
      }
    }
  }

  /** Looks at all clusters; gives how many jobs are sent. */
  int look() {
    int sent = 0;
    for (TimedCluster cluster : clusters.values()) {
      for (CampaignOutcome.Order order : take(cluster.seen(nowMs)).orders()) {
        sent += order.command() instanceof SubmitJobs command ? command.getJobs().size() : 0;
      }
    }
    return sent;
  }

  /** Whether nothing is to be heard of any job. */
  boolean quiet() {
    return due.isEmpty();
  }

  private void happen(NoteJob note) {
    NoteJob told = note;
    if (note.getChange() == JobChange.FINISHED) {
      told = null;
      for (TimedCluster cluster : clusters.values()) {
        told = told == null ? cluster.end(note, nowMs) : told;
      }
    }
    if (told != null) {
      heard.accept(told);
      take(told);
    }
  }

  private CampaignOutcome take(SpecificRecord record) {
    CampaignOutcome outcome = desk.take(record, nowMs);
    for (CampaignOutcome.Order order : outcome.orders()) {
      if (order.command() instanceof SubmitJobs command) {
        for (NewJob job : command.getJobs()) {
          JobSpec spec = job.getSpec();
          clusters.get(spec.getQueue()).submit(spec.getCampaign(), nowMs);
        }
      } else {
        DeleteJob command = (DeleteJob) order.command();
        clusters
            .values()
            .forEach(it -> it.delete(command.getJobId(), command.getWaitingOnly(), nowMs));
      }
    }
    return outcome;
  }
}
