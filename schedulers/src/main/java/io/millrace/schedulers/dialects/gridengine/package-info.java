/**
 * How the Grid Engine dialect decides. Its texts and requests are its language, in a module of its
 * own ({@code schedulers/gridengine/language}).
 *
 * <p>Comes in: a checked configuration, jobs with their requests, what runs. Goes out: for a state
 * and a time, which task starts where, which one is promised a later start, and why each other one
 * waits. The sub-packages: {@code schedule} (the decision), {@code live} (a scheduler object of
 * Millrace that decides so), {@code replay} (a recorded session again).
 *
 * <p>Invariant: nothing here reads a clock, a file or the network; the same state and time give the
 * same decisions.
 */
package io.millrace.schedulers.dialects.gridengine;
