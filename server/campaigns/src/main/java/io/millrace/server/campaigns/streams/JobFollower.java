package io.millrace.server.campaigns.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.TaggedJob;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.IntConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Follows the ledger of a shard, and tells what becomes of jobs with a campaign's tag. */
final class JobFollower implements Processor<byte[], byte[], Outgoing, byte[]> {

  /** Jobs with a tag that are in the shard, by their ids. */
  static final String STORE = "jobs";

  /** Others are passed over undecoded. */
  private static final Set<String> HEARD =
      Set.of(
          "JobQueued",
          "JobAccepted",
          "JobHandedOver",
          "JobHeld",
          "JobReleased",
          "RunStarted",
          "RunKillRequested",
          "RunPreempted",
          "RunRequeued",
          "RunFinished",
          "JobDeleted");

  /** Holds of a job that nobody holds. */
  private static final String FREE = "n";

  private final RecordCodec codec;
  private final IntConsumer closed;
  private ProcessorContext<Outgoing, byte[]> context;
  private KeyValueStore<String, byte[]> jobs;
  private long atMs;

  /**
   * @param closed told the partition of a task that is closed
   */
  JobFollower(RecordCodec codec, IntConsumer closed) {
    this.codec = codec;
    this.closed = closed;
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    this.jobs = context.getStateStore(STORE);
  }

  @Override
  public void close() {
    closed.accept(context.taskId().partition());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    atMs = record.timestamp();
    try {
      if (HEARD.contains(codec.nameOf(record.value()))) {
        hear(codec.decode(record.value()));
      }
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("the ledger has what is no fact", e);
    }
  }

  private void hear(SpecificRecord fact) throws UndecodableRecord {
    if (fact instanceof JobQueued queued) {
      queued(queued.getJob());
    } else if (fact instanceof JobAccepted accepted) {
      queued(accepted.getJob());
    } else if (fact instanceof RunStarted started) {
      tell(started.getJobId(), JobChange.STARTED);
    } else if (fact instanceof RunKillRequested killed) {
      if (killed.getPurpose() == KillPurpose.DELETE) {
        tell(killed.getJobId(), JobChange.KILLED);
      }
    } else if (fact instanceof RunPreempted preempted) {
      // Its job gives way and is over: that is no failure of the task.
      if (!preempted.getAgain()) {
        tell(preempted.getJobId(), JobChange.PREEMPTED);
      }
    } else if (fact instanceof JobHeld held) {
      tell(held.getJobId(), JobChange.HELD);
    } else if (fact instanceof JobReleased released) {
      boolean free = released.getHolds().equals(FREE);
      tell(released.getJobId(), free ? JobChange.RELEASED : JobChange.HELD);
    } else if (fact instanceof JobHandedOver gone) {
      jobs.delete(gone.getJobId());
    } else if (fact instanceof RunRequeued requeued) {
      tell(requeued.getJobId(), JobChange.QUEUED);
    } else if (fact instanceof RunFinished finished) {
      NoteJob note = note(finished.getJobId(), JobChange.FINISHED);
      if (note != null) {
        note.setExitStatus(finished.getExitStatus());
        // 0: nobody knows when it began.
        boolean timed = finished.getStartedMs() > 0;
        note.setRunMs(timed ? Math.max(0, finished.getFinishedMs() - finished.getStartedMs()) : 0L);
        note.setWhy(finished.getMessage());
        note.setSteps(finished.getSteps());
        over(note);
      }
    } else if (fact instanceof JobDeleted deleted) {
      NoteJob note = note(deleted.getJobId(), JobChange.DELETED);
      if (note != null) {
        note.setExitStatus(deleted.getExitStatus());
        note.setWhy(deleted.getWhy());
        over(note);
      }
    }
  }

  private void queued(Job job) {
    String tag = job.getSpec().getCampaign();
    if (!tag.isEmpty()) {
      jobs.put(job.getId(), codec.encode(new TaggedJob(tag)));
      forward(note(job.getId(), tag, JobChange.QUEUED));
    }
  }

  private void tell(String job, JobChange change) throws UndecodableRecord {
    NoteJob note = note(job, change);
    if (note != null) {
      forward(note);
    }
  }

  /** A job's history may stay for long; nothing more of it is of interest. */
  private void over(NoteJob note) {
    jobs.delete(note.getJobId());
    forward(note);
  }

  /** A note about the job; null when it has no tag. */
  private NoteJob note(String job, JobChange change) throws UndecodableRecord {
    byte[] tagged = jobs.get(job);
    return tagged == null ? null : note(job, ((TaggedJob) codec.decode(tagged)).getTag(), change);
  }

  private NoteJob note(String job, String tag, JobChange change) {
    return new NoteJob(tag, change, job, context.taskId().partition(), 0, 0L, "", atMs, "", false);
  }

  private void forward(NoteJob note) {
    byte[] key = note.getJobId().getBytes(StandardCharsets.UTF_8);
    context.forward(
        new Record<>(new Outgoing(0, key), codec.encode(note), atMs), Topics.CAMPAIGN_REPORTS);
  }
}
