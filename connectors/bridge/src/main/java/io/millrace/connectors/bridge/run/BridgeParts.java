package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideScope;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.time.InstantSource;

/** What a bridge is put together from. */
public record BridgeParts(
    OutsideSystem system,
    RunFolders folders,
    RunJournal journal,
    BridgeTerms terms,
    InstantSource clock,
    OutsideScope scope) {

  /** The same where each job with a mark may be a run. */
  public BridgeParts(
      OutsideSystem system,
      RunFolders folders,
      RunJournal journal,
      BridgeTerms terms,
      InstantSource clock) {
    this(system, folders, journal, terms, clock, OutsideScope.ALL);
  }
}
