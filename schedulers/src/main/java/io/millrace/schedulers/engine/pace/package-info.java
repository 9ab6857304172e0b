/**
 * How fast an engine goes: how much work a cycle may do, how long a cycle is put off after
 * submissions, how often reasons are told.
 *
 * <p>In come times of the engine's own clock, nanoseconds; out go units of work and how long to
 * wait. Nothing here reads a clock or knows of jobs.
 */
package io.millrace.schedulers.engine.pace;
