package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.evidence.JobOperation;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.RecordedRequest;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** Evidence made by hand: a correct ledger unless a test changes it. */
final class HandMadeEvidence {
  static final String SCHEDULER = "default";

  private final List<RecordedRequest> requests = new ArrayList<>();
  private final List<JobLine> lines = new ArrayList<>();
  private final List<LedgerEntry> ledger = new ArrayList<>();
  private Optional<List<String>> accounts = Optional.empty();
  private Optional<CampaignEvidence> campaign = Optional.empty();
  private Optional<OutsideEvidence> outside = Optional.empty();
  private final Map<Integer, Long> seqs = new HashMap<>();

  HandMadeEvidence() {
    engine(0, 1);
  }

  Verdict verdict() {
    List<JobLine> all = campaign.map(it -> it.with(lines)).orElse(lines);
    return Verdict.of(new Evidence(requests, all, ledger, accounts, campaign, outside));
  }

  HandMadeEvidence fact(int shard, Function<FactMeta, SpecificRecord> fact) {
    long seq = seqs.merge(shard, 1L, Long::sum);
    CommandId cause = new CommandId(new byte[16]);
    ledger.add(
        new LedgerEntry(shard, seq + 10, fact.apply(new FactMeta(seq, 1000 + seq, cause, "root"))));
    return this;
  }

  HandMadeEvidence campaign(CampaignEvidence known) {
    campaign = Optional.of(known);
    return this;
  }

  HandMadeEvidence outside(OutsideEvidence known) {
    outside = Optional.of(known);
    return this;
  }

  HandMadeEvidence accounts(String... told) {
    accounts = Optional.of(List.of(told));
    return this;
  }

  /** Skips one fact number in a shard. */
  HandMadeEvidence gap(int shard) {
    seqs.merge(shard, 1L, Long::sum);
    return this;
  }

  HandMadeEvidence engine(int shard, long epoch) {
    return fact(shard, m -> new EngineStarted(m, SCHEDULER, epoch, true, false, "host"));
  }

  HandMadeEvidence request(String token, String jobId, JobOperation... operations) {
    requests.add(new RecordedRequest(token, 0, Optional.ofNullable(jobId), Set.of(operations)));
    return this;
  }

  HandMadeEvidence line(String jobId, int run, String token) {
    lines.add(new JobLine(jobId, run, token));
    return this;
  }

  HandMadeEvidence queued(int shard, String jobId, String token) {
    return queued(shard, jobId, token, "");
  }

  /** The same in a queue of its own. */
  HandMadeEvidence queuedTo(String queue, String jobId, String token, String tag) {
    Job job = job(jobId, token);
    job.getSpec().setQueue(queue);
    job.getSpec().setCampaign(tag);
    return fact(0, m -> new JobQueued(m, job, List.of()));
  }

  HandMadeEvidence queued(int shard, String jobId, String token, String tag) {
    Job job = job(jobId, token);
    job.getSpec().setCampaign(tag);
    return fact(shard, m -> new JobQueued(m, job, List.of()));
  }

  HandMadeEvidence preempted(int shard, String jobId, int run) {
    return fact(shard, m -> new RunPreempted(m, jobId, run, "9.host", false, "Scheduler@host"));
  }

  HandMadeEvidence granted(int shard, String jobId, int run, long epoch) {
    Allocation allocation = new Allocation(List.of(), "", "", null);
    return fact(shard, m -> new RunGranted(m, jobId, run, SCHEDULER, epoch, allocation));
  }

  HandMadeEvidence finished(int shard, String jobId, int run, int status) {
    return finished(shard, jobId, run, status, "");
  }

  HandMadeEvidence finished(int shard, String jobId, int run, int status, String message) {
    Usage used = new Usage(0L, 0L, 0L, 0L, 0, 0);
    return fact(shard, m -> new RunFinished(m, jobId, run, status, used, 1L, 2L, message, -1L, ""));
  }

  /** The end of a run that has written down how its steps ended. */
  HandMadeEvidence stepped(String jobId, int status, String steps) {
    Usage used = new Usage(0L, 0L, 0L, 0L, 0, 0);
    return fact(0, m -> new RunFinished(m, jobId, 1, status, used, 1L, 2L, "", -1L, steps));
  }

  HandMadeEvidence requeued(int shard, String jobId, int run) {
    return requeued(shard, jobId, run, "rerun");
  }

  HandMadeEvidence requeued(int shard, String jobId, int run, String why) {
    return fact(shard, m -> new RunRequeued(m, jobId, run, 271, why, null, -1L));
  }

  HandMadeEvidence deleted(int shard, String jobId) {
    return fact(shard, m -> new JobDeleted(m, jobId, 271, "alice@host", "", false));
  }

  HandMadeEvidence offered(int shard, String jobId, int to) {
    return fact(shard, m -> new JobOffered(m, jobId, to, "other", null));
  }

  HandMadeEvidence accepted(int shard, String jobId, String token, int from) {
    return fact(shard, m -> new JobAccepted(m, from, job(jobId, token), null, List.of(), false));
  }

  HandMadeEvidence handedOver(int shard, String jobId, int to) {
    return fact(shard, m -> new JobHandedOver(m, jobId, to));
  }

  HandMadeEvidence kept(int shard, String jobId) {
    return fact(shard, m -> new JobKept(m, jobId, 15001));
  }

  /** A job that was submitted, ran once and ended. */
  HandMadeEvidence ordinary(String jobId, String token) {
    return request(token, jobId)
        .queued(0, jobId, token)
        .granted(0, jobId, 1, 1)
        .line(jobId, 1, token)
        .finished(0, jobId, 1, 0);
  }

  private static Job job(String id, String token) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName(token)
            .setOwner("root")
            .setSubmitHost("host")
            .setQueue("workq")
            .setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()))
            .setResourceList(List.of())
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    return Job.newBuilder()
        .setId(id)
        .setNumber(1)
        .setSpec(spec)
        .setStatus(JobStatus.QUEUED)
        .setRank(1)
        .setCreatedMs(1)
        .setQueuedMs(1)
        .setModifiedMs(1)
        .setEvents(List.of())
        .build();
  }
}
