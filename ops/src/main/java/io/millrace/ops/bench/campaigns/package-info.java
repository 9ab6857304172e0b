/**
 * A campaign in virtual time: the campaign server's own deciders and appliers, and clusters whose
 * jobs take as long as a seed says.
 *
 * <p>In comes whether the campaign has replicas, out come its end and what it has cost. The same
 * seed gives the same figures on each machine.
 */
package io.millrace.ops.bench.campaigns;
