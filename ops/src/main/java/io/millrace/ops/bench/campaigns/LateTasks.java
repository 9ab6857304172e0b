package io.millrace.ops.bench.campaigns;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
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
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/**
 * A campaign of 2,000 tasks on three idle clusters. A task takes 60 s on average, lognormal; 2 % of
 * them take twenty times as long on the last cluster.
 */
public final class LateTasks {

  public static final int TASKS = 2_000;

  private static final int CLUSTERS = 3;
  private static final double LATE = 0.02;
  private static final int TIMES = 20;
  private static final double MEAN_MS = 60_000;
  private static final double SIGMA = 0.6;
  private static final long LOOK_MS = 1_000;
  private static final long START_MS = 1_000_000;
  private static final double MS_PER_S = 1_000;

  /**
   * What came of it.
   *
   * @param endS seconds until its end
   * @param workS processor seconds of all runs
   * @param replicas runs beside others
   * @param replicasS processor seconds of them
   */
  public record LateTasksResult(double endS, double workS, int replicas, double replicasS) {}

  private record Due(long atMs, long order, SpecificRecord record) {}

  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::atMs).thenComparingLong(Due::order));
  private final Map<String, TimedCluster> clusters = new TreeMap<>();
  private final MemoryTable table = new MemoryTable();
  private final CampaignDesk desk = new CampaignDesk(new CampaignState(table));
  private final long[] takesMs = new long[TASKS];
  private final boolean[] late = new boolean[TASKS];
  private long told;
  private long nowMs = START_MS;

  private LateTasks(int processors, long seed) {
    Random random = new Random(seed);
    for (int task = 0; task < TASKS; task++) {
      double middle = Math.log(MEAN_MS) - SIGMA * SIGMA / 2;
      takesMs[task] = (long) Math.exp(middle + SIGMA * random.nextGaussian());
      late[task] = random.nextDouble() < LATE;
    }
    for (int i = 1; i <= CLUSTERS; i++) {
      int times = i == CLUSTERS ? TIMES : 1;
      clusters.put(
          "c" + i, new TimedCluster("c" + i, processors, tag -> takesMs(tag, times), this::tell));
    }
  }

  /**
   * @param processors of each cluster
   * @param replicas whether the campaign has replicas
   */
  public static LateTasksResult run(int processors, boolean replicas, long seed) {
    return new LateTasks(processors, seed).run(replicas);
  }

  private void tell(long atMs, SpecificRecord record) {
    due.add(new Due(atMs, told++, record));
  }

  private long takesMs(String tag, int times) {
    int task = Integer.parseInt(tag.split("\\.")[1]);
    return late[task] ? times * takesMs[task] : takesMs[task];
  }

  private CampaignCluster cluster(String name, boolean replicas) {
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
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    return CampaignCluster.newBuilder()
        .setName(name)
        .setShard(0)
        .setJob(job)
        .setProgram("/bin/true")
        .setDirectory("/")
        .setFinalize(replicas)
        .build();
  }

  private LateTasksResult run(boolean replicas) {
    List<CampaignCluster> places = new ArrayList<>();
    clusters.keySet().forEach(name -> places.add(cluster(name, replicas)));
    CommandId id = new CommandId(new byte[16]);
    CommandMeta meta = new CommandMeta(id, "ada", "users", "host", Role.USER, -1, 0L);
    CampaignText text = new CampaignText(ByteBuffer.allocate(0));
    take(new SubmitCampaign(meta, "late", TASKS, places, List.of(), text, false, List.of(), null));
    long lookMs = nowMs;
    while (campaign().getEndedMs() < 0 || !due.isEmpty()) {
      if (due.isEmpty() || due.peek().atMs() > lookMs) {
        nowMs = lookMs;
        clusters.values().forEach(cluster -> take(cluster.seen(nowMs)));
        lookMs += LOOK_MS;
      } else {
        Due next = due.poll();
        nowMs = next.atMs();
        happen((NoteJob) next.record());
      }
    }
    return result();
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
      take(told);
    }
  }

  private Campaign campaign() {
    return (Campaign) table.get(CampaignKeys.campaign(1));
  }

  private void take(SpecificRecord record) {
    for (CampaignOutcome.Order order : desk.take(record, nowMs).orders()) {
      if (order.command() instanceof SubmitJobs command) {
        for (NewJob job : command.getJobs()) {
          JobSpec spec = job.getSpec();
          clusters.get(spec.getQueue()).submit(spec.getCampaign(), nowMs);
        }
      } else {
        String job = ((DeleteJob) order.command()).getJobId();
        clusters.values().forEach(cluster -> cluster.delete(job, nowMs));
      }
    }
  }

  private LateTasksResult result() {
    Campaign campaign = campaign();
    if (campaign.getDone() != TASKS) {
      throw new IllegalStateException(campaign.getDone() + " tasks were done");
    }
    int replicas = 0;
    double replicasMs = 0;
    for (CampaignCluster cluster : campaign.getClusters()) {
      replicas += cluster.getReplicas();
      replicasMs += cluster.getReplicasMs();
    }
    double workMs = clusters.values().stream().mapToDouble(TimedCluster::ranMs).sum();
    return new LateTasksResult(
        (campaign.getEndedMs() - START_MS) / MS_PER_S,
        workMs / MS_PER_S,
        replicas,
        replicasMs / MS_PER_S);
  }
}
