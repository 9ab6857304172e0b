package io.millrace.ops.faults.evidence;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The facts of the ledger about one job, of all shards together. */
public final class JobHistory {
  private final String id;
  private final List<LedgerEntry> queued = new ArrayList<>();
  private final Map<Integer, List<LedgerEntry>> grants = new TreeMap<>();
  private final Map<Integer, List<LedgerEntry>> runEnds = new TreeMap<>();
  private final List<LedgerEntry> ends = new ArrayList<>();
  private final List<LedgerEntry> all = new ArrayList<>();
  private String token = "";
  private String campaignTag = "";
  private String queue = "";

  JobHistory(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  /** Name that the job was submitted under; empty when the ledger never tells. */
  public String token() {
    return token;
  }

  /** Campaign, task and attempt of a campaign's job, with dots between; empty of another job. */
  public String campaignTag() {
    return campaignTag;
  }

  /** The queue that it was submitted to; empty when the ledger never tells. */
  public String queue() {
    return queue;
  }

  /** Whether a run of it was told to end: deleted, killed, or for a job that needed its room. */
  public boolean isToldToEnd() {
    return all.stream()
        .map(LedgerEntry::fact)
        .anyMatch(fact -> fact instanceof RunKillRequested || fact instanceof RunPreempted);
  }

  /** The facts JobQueued. */
  public List<LedgerEntry> queued() {
    return queued;
  }

  /** The facts RunGranted, by run number. */
  public Map<Integer, List<LedgerEntry>> grants() {
    return grants;
  }

  /** The facts RunFinished and RunRequeued, by run number. */
  public Map<Integer, List<LedgerEntry>> runEnds() {
    return runEnds;
  }

  /** The facts RunFinished and JobDeleted, which end the job itself. */
  public List<LedgerEntry> ends() {
    return ends;
  }

  /** All facts about the job; those of one shard in their order. */
  public List<LedgerEntry> all() {
    return all;
  }

  void add(LedgerEntry entry) {
    all.add(entry);
  }

  void queued(LedgerEntry entry, JobSpec spec) {
    queued.add(entry);
    token = spec.getName();
    campaignTag = spec.getCampaign();
    queue = spec.getQueue();
  }

  void granted(LedgerEntry entry, int run) {
    grants.computeIfAbsent(run, number -> new ArrayList<>()).add(entry);
  }

  void runEnded(LedgerEntry entry, int run) {
    runEnds.computeIfAbsent(run, number -> new ArrayList<>()).add(entry);
  }

  void ended(LedgerEntry entry) {
    ends.add(entry);
  }
}
