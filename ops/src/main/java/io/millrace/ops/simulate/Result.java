package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Metrics;
import io.millrace.schedulers.simulator.Schedule;

/**
 * Result of simulating one policy on a trace.
 *
 * @param policy as the user called it
 * @param elapsedS real time that the simulation took
 */
record Result(String policy, Schedule schedule, Metrics metrics, double elapsedS) {}
