/**
 * Subject run.outside: what an outside system says of a run that it has.
 *
 * <p>In: ReportRunOutside of the executor of its node. Out: RunOutsideNoted, when it says something
 * else than before; it becomes the job's comment. In: ReportRunAnswered, what it has answered to an
 * order about the run. Out: RunOutsideAnswered, when it is another answer than the last one to such
 * an order; it stands in the job's history.
 */
package io.millrace.server.core.run.outside;
