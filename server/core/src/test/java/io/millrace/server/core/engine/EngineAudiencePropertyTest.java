package io.millrace.server.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * Whatever becomes of jobs, queues and partitions in shards that have two schedulers each: an
 * engine that only hears what concerns it knows each job of its scheduler, and where it is, and no
 * job that has gone; and it knows few of the others' jobs.
 */
class EngineAudiencePropertyTest {
  private static final int ACTS = 250;
  private static final int SCHEDULERS = 8;
  private static final long[] SEEDS =
      LongStream.concat(LongStream.rangeClosed(1, 3), LongStream.of(Seeds.of(300)))
          .distinct()
          .toArray();

  private final TestShards shards = TestShards.initialised();
  private final Map<Integer, Ear> ears = new TreeMap<>();
  private final List<SubmitJobs> sent = new ArrayList<>();
  private final Map<String, StartRun> open = new TreeMap<>();
  private int seenOrders;
  private Random random;
  private String where = "";
  private long strangers;
  private long own;
  private int anew;

  /** The engines of a shard, each with the queue of every job that it knows. */
  private final class Ear {
    private final Tables tables;
    private final EngineAudience audience;
    private final Map<String, Map<Long, String>> known = new TreeMap<>();

    Ear(Tables tables) {
      this.tables = tables;
      this.audience = new EngineAudience(tables);
    }

    private Set<String> schedulers() {
      Set<String> here = new TreeSet<>();
      tables
          .objects()
          .each(
              object -> {
                String shard = Context.attribute(object, "shard", "-1");
                if (object.getKind() == ObjectKind.SCHEDULER
                    && shard.equals(String.valueOf(tables.shard()))) {
                  here.add(object.getName());
                }
              });
      return here;
    }

    private List<Job> jobs() {
      List<Job> jobs = new ArrayList<>();
      tables
          .jobs()
          .each(
              job -> {
                if (job.getStatus() != JobStatus.FINISHED) {
                  jobs.add(job);
                }
              });
      return jobs;
    }

    private String schedulerOf(Job job) {
      ClusterObject queue = PartitionTable.queue(tables, job.getSpec().getQueue());
      return PartitionTable.schedulerOf(tables, PartitionTable.partitionOf(queue));
    }

    void hear(List<SpecificRecord> facts) {
      Set<String> here = schedulers();
      audience.among(here.size());
      Set<String> gained = audience.gained(facts);
      audience
          .divide(facts, known.keySet())
          .forEach((scheduler, told) -> told.forEach(fact -> follow(known.get(scheduler), fact)));
      known.keySet().retainAll(here);
      for (String scheduler : here) {
        if (gained.contains(scheduler) || !known.containsKey(scheduler)) {
          Map<Long, String> begun = new TreeMap<>();
          for (Job job : jobs()) {
            if (audience.concerns(scheduler, job)) {
              begun.put(job.getNumber(), job.getSpec().getQueue());
            }
          }
          known.put(scheduler, begun);
          anew += gained.contains(scheduler) ? 1 : 0;
        }
      }
      look();
    }

    private void follow(Map<Long, String> jobs, SpecificRecord fact) {
      if (fact instanceof JobQueued it) {
        jobs.put(it.getJob().getNumber(), it.getJob().getSpec().getQueue());
      } else if (fact instanceof JobAccepted it) {
        jobs.put(it.getJob().getNumber(), it.getJob().getSpec().getQueue());
      } else if (fact instanceof JobMoved it) {
        jobs.replace(Keys.jobNumber(it.getJobId()), it.getQueue());
      } else if (fact instanceof JobReordered it) {
        jobs.replace(Keys.jobNumber(it.getJobId()), it.getQueue());
      } else if (fact instanceof JobDeleted it) {
        jobs.remove(Keys.jobNumber(it.getJobId()));
      } else if (fact instanceof JobPurged it) {
        jobs.remove(Keys.jobNumber(it.getJobId()));
      } else if (fact instanceof JobHandedOver it) {
        jobs.remove(Keys.jobNumber(it.getJobId()));
      } else if (fact instanceof RunFinished it) {
        jobs.remove(Keys.jobNumber(it.getJobId()));
      } else if (fact instanceof RunGranted it) {
        assertTrue(jobs.containsKey(Keys.jobNumber(it.getJobId())), where + ": an unknown run");
      }
    }

    private void look() {
      Map<Long, Job> there = new HashMap<>();
      jobs().forEach(job -> there.put(job.getNumber(), job));
      known.forEach(
          (scheduler, jobs) -> {
            jobs.forEach(
                (number, queue) -> {
                  assertTrue(there.containsKey(number), () -> where + ": " + number + " is gone");
                  assertEquals(there.get(number).getSpec().getQueue(), queue, where);
                });
            for (Job job : there.values()) {
              boolean its = schedulerOf(job).equals(scheduler);
              assertTrue(
                  !its || jobs.containsKey(job.getNumber()),
                  () -> where + ": " + scheduler + " does not know " + job.getId());
              own += its ? 1 : 0;
              strangers += !its && jobs.containsKey(job.getNumber()) ? 1 : 0;
            }
          });
    }
  }

  private static String queue(int i) {
    return i == 0 ? "workq" : "q" + i;
  }

  private void sites() {
    for (int i = 1; i < SCHEDULERS; i++) {
      shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "s" + i, "partition=p" + i);
      shards.queue(queue(i), "p" + i);
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n" + i, "partition=p" + i);
      shards.nodeUp("n" + i, 4);
      shards.startEngine("s" + i);
    }
    shards.must(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        "route",
        "queue_type=r",
        "enabled=t",
        "started=t",
        "route_destinations=q1,q2");
  }

  private String anyQueue() {
    int i = random.nextInt(SCHEDULERS + 1);
    return i == SCHEDULERS ? "route" : queue(i);
  }

  private String anyJob() {
    if (sent.isEmpty()) {
      return "";
    }
    Reply reply = shards.answer(sent.get(random.nextInt(sent.size())).getMeta());
    String id = reply == null || reply.getCode() != 0 ? "" : reply.getLines().get(0);
    return id.isEmpty() || shards.where(id) < 0 ? "" : id;
  }

  private void submit() {
    NewJob job = Calls.job("ann", anyQueue(), 1);
    SubmitJobs command =
        Calls.submit(
            shards.user("ann"), List.of(), random.nextInt(5) == 0 ? Calls.held(job, "u") : job);
    shards.post(random.nextInt(TestShards.COUNT), command);
    sent.add(command);
  }

  private void ofAJob(int chance, String id) {
    int there = shards.where(id);
    if (chance < 50) {
      shards.post(there, Calls.move(shards.user("ann"), id, anyQueue()));
    } else if (chance < 55) {
      shards.post(there, Calls.hold(shards.user("ann"), id, "u"));
    } else if (chance < 60) {
      shards.post(there, Calls.release(shards.user("ann"), id, "u"));
    } else if (chance < 63) {
      String other = anyJob();
      if (!other.isEmpty()) {
        shards.post(there, new ExchangeJobs(shards.user("ann"), id, other));
      }
    } else if (chance < 67) {
      shards.post(there, Calls.delete(shards.manager(), id, true));
    } else {
      propose(id);
    }
  }

  private void propose(String id) {
    String queue = shards.job(id).getSpec().getQueue();
    for (int i = 1; i < SCHEDULERS; i++) {
      String scheduler = "s" + i;
      if (queue.equals(queue(i))) {
        shards.post(
            shards.shardOfScheduler(scheduler),
            Calls.run(
                shards.engine(scheduler),
                scheduler,
                shards.epoch(scheduler),
                id,
                Calls.share("n" + i, 1, 1)));
      }
    }
  }

  private void change(ObjectKind kind, String name, String pair) {
    shards.post(0, Calls.change(shards.manager(), ChangeOperation.SET, kind, name, pair));
  }

  private void assign() {
    int one = 1 + random.nextInt(SCHEDULERS - 1);
    int other = 1 + random.nextInt(SCHEDULERS - 1);
    if (random.nextBoolean()) {
      change(ObjectKind.QUEUE, queue(one), "partition=p" + other);
    } else {
      change(ObjectKind.SCHEDULER, "s" + one, "partition-=p" + one);
      change(ObjectKind.SCHEDULER, "s" + other, "partition+=p" + one);
    }
  }

  private void act() {
    int chance = random.nextInt(100);
    String id = anyJob();
    if (chance < 30 || id.isEmpty()) {
      submit();
    } else if (chance < 84) {
      ofAJob(chance, id);
    } else if (chance < 93) {
      takeOrders();
      if (!open.isEmpty()) {
        StartRun run = open.remove(open.keySet().iterator().next());
        shards.post(run.getShard(), Calls.finished(shards.executor(run.getHost()), run, 0));
      }
    } else if (chance < 97) {
      assign();
    } else {
      shards.silence(1 + random.nextInt(TestShards.COUNT - 1), random.nextInt(3) == 0);
    }
    for (int i = random.nextInt(14); i > 0; i--) {
      shards.step(random.nextInt(TestShards.COUNT));
    }
  }

  private void takeOrders() {
    for (; seenOrders < shards.dispatch().size(); seenOrders++) {
      if (shards.dispatch().get(seenOrders) instanceof StartRun order) {
        open.put(order.getJobId(), order);
      }
    }
  }

  private void play(long seed) {
    random = new Random(seed);
    sites();
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      ears.put(shard, new Ear(shards.tables(shard)));
      ears.get(shard).hear(List.of());
    }
    shards.observe((shard, command, outcome, facts) -> ears.get(shard).hear(facts));
    for (int i = 0; i < ACTS; i++) {
      where = "seed " + seed + ", act " + i;
      act();
    }
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards.silence(shard, false);
    }
    shards.run();
  }

  @Test
  void anEngineKnowsTheJobsOfItsScheduler() {
    long ofOthers = 0;
    long ofItself = 0;
    int again = 0;
    for (long seed : SEEDS) {
      EngineAudiencePropertyTest history = new EngineAudiencePropertyTest();
      history.play(seed);
      ofOthers += history.strangers;
      ofItself += history.own;
      again += history.anew;
    }
    assertTrue(ofOthers < ofItself, ofOthers + " and " + ofItself);
    assertTrue(ofItself > 0 && again > 0, "queues with jobs change sides: " + again);
  }
}
