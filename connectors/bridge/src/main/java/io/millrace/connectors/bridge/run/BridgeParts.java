package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideSystem;
import java.time.InstantSource;

/** What a bridge is put together from. */
public record BridgeParts(
    OutsideSystem system,
    RunFolders folders,
    RunJournal journal,
    BridgeTerms terms,
    InstantSource clock) {}
