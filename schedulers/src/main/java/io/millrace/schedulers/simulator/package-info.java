/**
 * A workload trace through the production cycle, with a virtual clock.
 *
 * <p>In: a trace in the Standard Workload Format, a number of processors and a policy. Out: when
 * each job started, and the metrics of the field over all of them.
 *
 * <p>Semantics: the machine is one count of identical processors; a job takes its processors from
 * its start for its run time; its estimate is never below its run time, so no job is killed. At
 * each instant at which something happens, the ends are told to the scheduler first, then the
 * submissions, then one cycle decides who starts.
 *
 * <p>Invariant: every job of the workload starts exactly once, no more processors are in use than
 * there are, and the same trace gives the same schedule. No clock is read.
 */
package io.millrace.schedulers.simulator;
