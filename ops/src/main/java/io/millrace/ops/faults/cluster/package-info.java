/**
 * A cluster for a run of the harness: three stock brokers, two hosts with a server, a gateway, an
 * engine and an executor each, and accounting, as processes of their own in networks of their own.
 *
 * <p>In: an empty folder. Out: the parts by their names, links that can be cut, brokers that can be
 * paused.
 *
 * <p>Invariant: a broker is struck only while the two others serve and have all that was
 * acknowledged, which is what a site with three of them is promised to survive.
 */
package io.millrace.ops.faults.cluster;
