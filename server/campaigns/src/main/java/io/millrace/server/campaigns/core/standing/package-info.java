/**
 * How a campaign's jobs stand beside those of local users: CiGri's types of campaigns.
 *
 * <p>In comes what a campaign has on a cluster, what was seen of the cluster and the time; out goes
 * what keeps its jobs from there now, and what has to come back. Invariant: a job of a type that is
 * not best effort never goes to a queue that was seen to be best effort.
 */
package io.millrace.server.campaigns.core.standing;
