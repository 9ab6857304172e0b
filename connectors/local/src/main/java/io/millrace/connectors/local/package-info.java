/**
 * Execution of runs on this host, the way a PBS mom does it.
 *
 * <p>In come {@link io.millrace.connectors.local.RunRequest}s, from the topic {@code dispatch} or
 * from any other caller; out go {@link io.millrace.connectors.local.RunStarted} and {@link
 * io.millrace.connectors.local.RunFinished} through a {@link
 * io.millrace.connectors.local.RunObserver}. In between stands the spool: one directory for each
 * run, and one supervisor process for each run that needs nothing of Millrace to do its work.
 *
 * <p>The invariant: a run's program is exec'ed at most once, whatever is killed and whenever,
 * because the supervisor links the file {@code started} into place before the exec; and a run
 * directory stays until its outcome was handed over, so that each run is reported.
 */
package io.millrace.connectors.local;
