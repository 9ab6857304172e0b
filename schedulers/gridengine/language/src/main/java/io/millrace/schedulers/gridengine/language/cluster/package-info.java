/**
 * What a cluster has: complexes, hosts, host groups, queue instances, parallel environments.
 *
 * <p>Comes in: checked settings of the option tables. Goes out: {@link
 * io.millrace.schedulers.gridengine.language.cluster.Cluster}, in which each queue instance has its
 * own values (exceptions of hosts and groups resolved). Invariant: immutable; names that one object
 * uses of another exist, or the text was refused.
 */
package io.millrace.schedulers.gridengine.language.cluster;
