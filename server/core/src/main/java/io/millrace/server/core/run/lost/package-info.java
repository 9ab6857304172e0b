/**
 * Subject run.lost: runs that began on a node of which nothing is heard.
 *
 * <p>In: NoteHostLost of who listens to the heartbeats, by way of the subject node. Out:
 * RunRequeued, or RunFinished for a job that must not run twice, and the order that ends the run
 * should its host come back.
 *
 * <p>Invariant: a run is given up only when somebody listened for as long as max_unheard and
 * node_fail_requeue say together and did not hear its host. What its host tells of it afterwards is
 * about a run that is over.
 */
package io.millrace.server.core.run.lost;
