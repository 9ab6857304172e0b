/**
 * A cell as its users see it: the scheduler object, its hosts and jobs, what it takes.
 *
 * <p>Comes in: records of a shard's view, names and numbers that a user typed. Goes out: the jobs
 * that are meant, where to send a command about one, and Grid Engine's words for a refusal.
 *
 * <p>Invariant: a job is looked for where it was born; nothing here changes anything.
 */
package io.millrace.server.gridengine.cell;
