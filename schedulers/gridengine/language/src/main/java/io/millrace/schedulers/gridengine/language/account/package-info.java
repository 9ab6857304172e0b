/**
 * What a cell tells of jobs that have ended.
 *
 * <p>Comes in: lines of its accounting file. Goes out: their fields by name. Invariant: one line is
 * one run, of a task or of a part of a parallel job.
 */
package io.millrace.schedulers.gridengine.language.account;
