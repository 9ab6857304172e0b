/**
 * Subject run.outside: what an outside system says of a run that it has.
 *
 * <p>In: ReportRunOutside of the executor of its node. Out: RunOutsideNoted, when it says something
 * else than before; it becomes the job's comment.
 */
package io.millrace.server.core.run.outside;
