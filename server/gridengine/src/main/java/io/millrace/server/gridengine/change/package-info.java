/**
 * Commands that change jobs: {@code sge/qalter}, {@code sge/qhold}, {@code sge/qrls}, {@code
 * sge/qdel}.
 *
 * <p>Comes in: which jobs and tasks a user names, and what is to become of them. Goes out: a
 * command to each job's shard, and a line for each job in Grid Engine's words.
 *
 * <p>Invariant: what Grid Engine would deny is denied before anything is sent.
 */
package io.millrace.server.gridengine.change;
