/**
 * What is shown of jobs, queues, nodes and the server: qstat, qselect, why, and the views in JSON
 * for programs.
 *
 * <p>In come identifiers and conditions; the shards are asked, and the attributes of objects joined
 * with what the shards say of them now. Out go PBS's tables and texts, whose form stands in the
 * package print.
 *
 * <p>Invariants: nothing here changes anything; a list is shown as it is read, never held whole;
 * nobody is shown jobs that he may not see.
 */
package io.millrace.server.gateway.status;
