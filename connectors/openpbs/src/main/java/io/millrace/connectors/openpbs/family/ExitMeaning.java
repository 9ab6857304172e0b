package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.system.OutsideEnd;

/** What exit statuses of a system say. */
public interface ExitMeaning {

  /**
   * The end that a status says.
   *
   * @param ours whether the job is a run of ours: its wrapper outlives its script, and says 128 and
   *     the signal as shells do
   */
  OutsideEnd of(int status, boolean ours);
}
