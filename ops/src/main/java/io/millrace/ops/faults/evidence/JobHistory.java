package io.millrace.ops.faults.evidence;

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

  void queued(LedgerEntry entry, String name) {
    queued.add(entry);
    token = name;
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
