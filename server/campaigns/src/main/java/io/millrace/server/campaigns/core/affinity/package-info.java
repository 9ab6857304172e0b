/**
 * How far users are before others on clusters.
 *
 * <p>In comes what a manager sets, or a user who steps back; out goes a fact, and an answer.
 *
 * <p>Invariant: nobody but a manager gets a user ahead, and there is a bound of how many are set.
 */
package io.millrace.server.campaigns.core.affinity;
