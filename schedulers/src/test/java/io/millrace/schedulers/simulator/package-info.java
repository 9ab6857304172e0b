/**
 * Tests of the simulator, against a replay of their own that shares no code with the cycle.
 *
 * <p>The published values are of traces that are not part of the project; they are looked for in
 * {@code ../shared/traces}, seen from the checkout, and a test that does not find them says so.
 */
package io.millrace.schedulers.simulator;
