package io.millrace.connectors.local.run;

/**
 * The terms of a run.
 *
 * @param limits what it may use
 * @param killDelayS seconds between SIGTERM and SIGKILL
 * @param origin a word of the caller, kept in the spool and handed back with every report
 * @param account Account_Name; becomes PBS_ACCOUNT, and the site's epilogue is told it; may be
 *     empty
 * @param resources Resource_List, as the site's epilogue is told it; may be empty
 * @param campaign what it is of a campaign, as the job's record has it; empty for all other jobs
 */
public record RunTerms(
    RunLimits limits,
    long killDelayS,
    String origin,
    String account,
    String resources,
    String campaign) {

  /** The terms of a run without limits of processor time and memory, account and resources. */
  public RunTerms(long walltimeS, long killDelayS, String origin) {
    this(RunLimits.ofWalltime(walltimeS), killDelayS, origin, "", "", "");
  }
}
