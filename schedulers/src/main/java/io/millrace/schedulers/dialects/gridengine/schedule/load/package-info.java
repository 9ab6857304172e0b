/**
 * The cluster as one run sees it: its places, their use over time, and how loaded its hosts are.
 *
 * <p>In: the configured cluster, reported loads, what runs. Out: the queue instances in the order
 * in which they are tried, and for how many slots load thresholds leave room.
 *
 * <p>Invariant: loads are what hosts report, raised by what this run and recent ones started there;
 * a promise raises none before its time.
 */
package io.millrace.schedulers.dialects.gridengine.schedule.load;
